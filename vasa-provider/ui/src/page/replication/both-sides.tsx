import { Mark } from '../../kit/mark';
import { useFormat, useText } from '../../text/preferences';
import { Lag, StateMark } from './group-marks';
import { shortTime } from './lag';
import type { Group } from './replication';
import { directionOf, stateSentence } from './state';

interface Props {
  group: Group;
  /** The name of the other pool. */
  peer: string;
}

/** A picture of both ends: which pool has what, and where the data goes. */
export function BothSides({ group, peer }: Props) {
  const text = useText();
  const t = text.replication;
  const direction = directionOf(group.state) ?? 'none';
  const sentence = stateSentence(group.state, peer, text);
  return (
    <>
      {sentence !== undefined && <p>{sentence}</p>}
      <div className="c-sides" role="group" aria-label={t.sides.title} data-direction={direction}>
        <div className="c-side">
          <span className="c-quiet">{t.sides.here}</span>
          <StateMark state={group.state} />
        </div>
        <div className="c-between">
          <Arrow direction={direction} resting={group.paused} label={t.sides[direction](peer)} />
          <Between group={group} />
        </div>
        <div className="c-side">
          <span className="c-quiet">{t.sides.there}</span>
          <strong className="c-wrap">{peer}</strong>
          <span>{t.sides.thereStates[direction]}</span>
        </div>
      </div>
      {!group.settled && <p>{t.unsettled}</p>}
    </>
  );
}

/** What is said of the way between both ends. */
function Between({ group }: { group: Group }) {
  const text = useText();
  const format = useFormat();
  const t = text.replication;
  const { cycles } = group;
  const took = cycles?.took ?? null;
  return (
    <ul>
      <li>
        {t.lag}: <Lag group={group} />
      </li>
      {took !== null && (
        <li>
          {t.cycles.took}: {shortTime(took, format)}
        </li>
      )}
      {cycles !== null && (
        <li>
          {t.cycles.link}: {format.bytes(cycles.linkBytes)}
        </li>
      )}
      {cycles?.runs === true && (
        <li>
          <Mark status="info">{t.running}</Mark>
        </li>
      )}
      {group.paused && (
        <li>
          <Mark>{t.paused}</Mark>
        </li>
      )}
    </ul>
  );
}

interface ArrowProps {
  direction: 'out' | 'in' | 'none';
  /** Whether nothing goes by itself. */
  resting: boolean;
  label: string;
}

function Arrow({ direction, resting, label }: ArrowProps) {
  const isBroken = direction === 'none';
  return (
    <svg
      className={`c-arrow${direction === 'in' ? ' c-arrow-in' : ''}`}
      role="img"
      aria-label={label}
      viewBox="0 0 120 24"
    >
      <path
        d={isBroken ? 'M4 12H46M74 12H116M54 4L66 20M66 4L54 20' : 'M4 12H114M104 4L114 12L104 20'}
        strokeDasharray={resting && !isBroken ? '8 6' : undefined}
      />
    </svg>
  );
}
