import { partsOf, secondsOf, type Unit } from '../../text/duration';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';

const SYMBOLS: Record<Unit, string> = { second: 's', minute: 'min', hour: 'h', day: 'd' };
const MOST_PARTS = 2;
const DAY_SECONDS = 86_400;

interface Lagging {
  newest: string | null;
  lag: string | null;
}

/** A length of time by its two largest units, such as `12 s` or `3 h 5 min`; a text that is none stays as it is. */
export function shortTime(iso: string, format: Format): string {
  const parts = partsOf(iso)?.slice(0, MOST_PARTS);
  return parts === undefined
    ? iso
    : parts.map(([amount, unit]) => `${format.number(amount)} ${SYMBOLS[unit]}`).join(' ');
}

/** What a lag is against the RPO. */
export type LagState = 'ok' | 'late' | 'missed';

const LAG_STATUS = { ok: 'success', late: 'warning', missed: 'danger' } as const;

/** A verdict that this page knows; absent for none, and for one of a newer provider. */
export function lagStateOf(state: string | null): LagState | undefined {
  return state === 'ok' || state === 'late' || state === 'missed' ? state : undefined;
}

export function lagStatus(state: LagState): 'success' | 'warning' | 'danger' {
  return LAG_STATUS[state];
}

/** The age of a replica in seconds, by the clock of the provider: the browser's may differ. */
export function ageOf(taken: string, { newest, lag }: Lagging): number | undefined {
  const seconds = lag === null ? undefined : secondsOf(lag);
  if (newest === null || seconds === undefined) {
    return undefined;
  }
  const age = Math.floor((Date.parse(newest) - Date.parse(taken)) / 1000) + seconds;
  return Number.isNaN(age) ? undefined : Math.max(0, age);
}

/** What a fail-over to a replica loses, in one sentence; absent if there is no replica. */
export function lossSentence(
  taken: string | undefined,
  group: Lagging,
  text: Text,
  format: Format,
): string | undefined {
  const t = text.replication.failOver;
  const age = taken === undefined ? undefined : ageOf(taken, group);
  if (taken === undefined || age === undefined) {
    return undefined;
  }
  const at = age < DAY_SECONDS ? format.clock(taken) : format.time(taken);
  const lost = shortTime(`PT${age}S`, format);
  return taken === group.newest ? t.lostNewest(lost, at) : t.lostOlder(lost, at);
}
