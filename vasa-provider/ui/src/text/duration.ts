/** Units of lengths of time, the smallest first. */
export const UNITS = ['second', 'minute', 'hour', 'day'] as const;

export type Unit = (typeof UNITS)[number];

/** A length of time as it is typed: an amount, empty for none, and its unit. */
export interface Span {
  amount: string;
  unit: Unit;
}

const SECONDS: Record<Unit, number> = { second: 1, minute: 60, hour: 3_600, day: 86_400 };
const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/;
const AMOUNT = /^\d{1,7}$/;

/** The seconds of an ISO 8601 length of time such as `PT15M`; absent if the text is none. */
export function secondsOf(iso: string): number | undefined {
  const match = ISO.exec(iso);
  if (match === null || /[PT]$/.test(iso)) {
    return undefined;
  }
  const [, days, hours, minutes, seconds] = match;
  return (
    Number(days ?? 0) * SECONDS.day +
    Number(hours ?? 0) * SECONDS.hour +
    Number(minutes ?? 0) * SECONDS.minute +
    Number(seconds ?? 0)
  );
}

/** An ISO 8601 length of time in parts, the largest unit first: `PT90M` is an hour and 30 minutes. */
export function partsOf(iso: string): [number, Unit][] | undefined {
  let rest = secondsOf(iso);
  if (rest === undefined) {
    return undefined;
  }
  const parts: [number, Unit][] = [];
  for (const unit of UNITS.toReversed()) {
    const amount = Math.floor(rest / SECONDS[unit]);
    rest -= amount * SECONDS[unit];
    if (amount > 0) {
      parts.push([amount, unit]);
    }
  }
  return parts.length === 0 ? [[0, 'second']] : parts;
}

/** An ISO 8601 length of time to be typed anew, in the largest unit that it is a whole number of. */
export function spanOf(iso: string | null | undefined, usual: Unit = 'day'): Span {
  const seconds = iso === null || iso === undefined ? undefined : secondsOf(iso);
  if (seconds === undefined) {
    return { amount: '', unit: usual };
  }
  const unit = UNITS.findLast((one) => seconds >= SECONDS[one] && seconds % SECONDS[one] === 0);
  return { amount: String(seconds / SECONDS[unit ?? 'second']), unit: unit ?? 'second' };
}

/** What was typed as an ISO 8601 length of time: null for nothing, absent if it is no number. */
export function isoOf({ amount, unit }: Span): string | null | undefined {
  const text = amount.trim();
  if (text === '') {
    return null;
  }
  if (!AMOUNT.test(text)) {
    return undefined;
  }
  const number = Number(text);
  return unit === 'day' ? `P${number}D` : `PT${number}${unit.charAt(0).toUpperCase()}`;
}
