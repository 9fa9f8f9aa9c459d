import { Mark } from '../../kit/mark';
import { useFormat, useText } from '../../text/preferences';
import { isLate, shortTime } from './lag';
import type { Group } from './replication';
import { stateStatus, stateWord } from './state';

/** The state of a group in a plain word, with its colour. */
export function StateMark({ state }: { state: string }) {
  const text = useText();
  return <Mark status={stateStatus(state)}>{stateWord(state, text)}</Mark>;
}

/** How far a group is behind; a warning if it is more than it should be. */
export function Lag({ group }: { group: Group }) {
  const text = useText();
  const format = useFormat();
  if (group.lag === null) {
    return <span className="c-quiet">{text.replication.noReplica}</span>;
  }
  const lag = shortTime(group.lag, format);
  return isLate(group) ? (
    <Mark status="warning" title={text.replication.late}>
      {lag}
    </Mark>
  ) : (
    <span>{lag}</span>
  );
}
