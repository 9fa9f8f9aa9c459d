const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lengths of time up to now, in milliseconds. */
export const WINDOWS = { '15m': 15 * MINUTE, '1h': HOUR, '1d': DAY, '7d': 7 * DAY, '30d': 30 * DAY };
export type WindowName = keyof typeof WINDOWS;
export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[];

/** The longest span that a history answers to. */
const LONGEST = 366 * DAY;

/** A shorter zoom would show two points. */
const LEAST_ZOOM = MINUTE;

/** Two times in milliseconds. */
export interface Span {
  from: number;
  to: number;
}

/** The span as an interval of ISO 8601, to the second. */
export function spanText({ from, to }: Span): string {
  return `${instant(from)}/${instant(to)}`;
}

/** A time as the API takes it, to the second. */
export function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** The span of an interval of ISO 8601; absent if the text is none. */
export function parseSpan(text: string): Span | undefined {
  const parts = text.split('/');
  const [from, to] = parts.map((part) => Date.parse(part));
  return parts.length === 2 && isSpan(from, to) ? { from: from!, to: to! } : undefined;
}

function isSpan(from: number | undefined, to: number | undefined): boolean {
  return from !== undefined && to !== undefined && from < to && to - from <= LONGEST;
}

/** What somebody has dragged over, of what is shown: whole seconds, and not too short. */
export function zoomOf(from: number, to: number, shown: Span): Span {
  const short = Math.max(0, LEAST_ZOOM - (to - from)) / 2;
  const whole = (at: number) => Math.round(Math.min(Math.max(at, shown.from), shown.to) / 1000) * 1000;
  const begin = whole(from - short);
  return { from: begin, to: Math.max(whole(to + short), begin + 1000) };
}

/** What a field of a date and a time holds for a time, in the zone of the browser or in UTC. */
export function fieldOf(at: number, isUtc: boolean): string {
  const offset = isUtc ? 0 : new Date(at).getTimezoneOffset() * MINUTE;
  return new Date(at - offset).toISOString().slice(0, 16);
}

/** The span of two such fields; absent if they are none that there can be a history of. */
export function spanOfFields(from: string, to: string, isUtc: boolean, now: number): Span | undefined {
  const zone = isUtc ? 'Z' : '';
  const begin = Date.parse(from + zone);
  const end = Date.parse(to + zone);
  return isSpan(begin, end) && begin < now ? { from: begin, to: end } : undefined;
}
