import { Mark } from '../../kit/mark';
import { useFormat, useText } from '../../text/preferences';
import { lagStateOf, lagStatus, shortTime } from './lag';
import type { Group } from './replication';
import { stateStatus, stateWord } from './state';

/** The state of a group in a plain word, with its colour. */
export function StateMark({ state }: { state: string }) {
  const text = useText();
  return <Mark status={stateStatus(state)}>{stateWord(state, text)}</Mark>;
}

/** How far a group is behind of what it may be, in words and with a colour. */
export function Lag({ group }: { group: Group }) {
  const text = useText();
  const format = useFormat();
  const t = text.replication;
  if (group.lag === null) {
    return <span className="c-quiet">{t.noReplica}</span>;
  }
  const lag = shortTime(group.lag, format);
  const state = lagStateOf(group.lagState);
  return state === undefined ? (
    <span>{lag}</span>
  ) : (
    <span className="c-marked">
      <Mark status={lagStatus(state)} title={t.lagSentences[state]}>
        {t.lagStates[state]}
      </Mark>
      <span>{t.lagOf(lag, shortTime(group.rpo, format))}</span>
    </span>
  );
}
