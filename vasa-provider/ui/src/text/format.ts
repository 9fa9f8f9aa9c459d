import { partsOf } from './duration';
import type { Preferences } from './preferences';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const STEP = 1024;
const DIGITS = 3;

/**
 * Texts for figures and times, in the language and the zone that are preferred. It keeps the
 * browser's formatters: making one takes longer than all the rest of a table's row.
 */
export class Format {
  private readonly locale: string;
  private readonly zone: string | undefined;
  private readonly whole: Intl.NumberFormat;
  private readonly broken: Intl.NumberFormat;
  private readonly parts: Intl.NumberFormat;
  private readonly times: Intl.DateTimeFormat;
  private readonly days: Intl.DateTimeFormat;
  private readonly clocks: Intl.DateTimeFormat;

  constructor(preferred: Pick<Preferences, 'language' | 'zone'>) {
    this.locale = preferred.language;
    this.zone = preferred.zone === 'utc' ? 'UTC' : undefined;
    this.whole = new Intl.NumberFormat(this.locale, { maximumFractionDigits: 0 });
    this.broken = new Intl.NumberFormat(this.locale, { maximumSignificantDigits: DIGITS });
    this.parts = new Intl.NumberFormat(this.locale, {
      style: 'percent',
      maximumFractionDigits: 1,
    });
    this.times = this.dates({ dateStyle: 'medium', timeStyle: 'medium' });
    this.days = this.dates({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
    this.clocks = this.dates({ timeStyle: 'medium' });
  }

  private dates(parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    return new Intl.DateTimeFormat(this.locale, { ...parts, timeZone: this.zone });
  }

  /** Such as `1.25 GiB`. */
  bytes(bytes: number): string {
    const unit = bytes < STEP ? 0 : Math.min(UNITS.length - 1, exponent(bytes));
    return `${this.number(bytes / STEP ** unit)} ${UNITS[unit]}`;
  }

  bytesPerSecond(bytes: number): string {
    return `${this.bytes(bytes)}/s`;
  }

  /** Three digits that count; whole numbers as they are. */
  number(value: number): string {
    const isWhole = Number.isInteger(value) || Math.abs(value) >= 10 ** DIGITS;
    return (isWhole ? this.whole : this.broken).format(value);
  }

  /** From seconds to `12.3 µs`, `1.2 ms` or `3 s`. */
  seconds(seconds: number): string {
    if (seconds === 0) {
      return '0 s';
    }
    if (seconds < 1e-3) {
      return `${this.number(seconds * 1e6)} µs`;
    }
    return seconds < 1 ? `${this.number(seconds * 1e3)} ms` : `${this.number(seconds)} s`;
  }

  /** Such as `2.5 : 1`; a dash where there is nothing to compare. */
  ratio(whole: number, part: number | null): string {
    return part === null || part === 0 ? '–' : `${this.number(whole / part)} : 1`;
  }

  percent(part: number, whole: number): string {
    return this.parts.format(whole === 0 ? 0 : part / whole);
  }

  /** Date and time to the second. */
  time(instant: string | number): string {
    return shown(this.times, instant);
  }

  /** Day and time to the minute, for the axis of a chart. */
  day(instant: string | number): string {
    return shown(this.days, instant);
  }

  /** Time of the day to the second. */
  clock(instant: string | number): string {
    return shown(this.clocks, instant);
  }

  /** An ISO 8601 length of time in words, such as `7 days`; a text that is none stays as it is. */
  duration(iso: string): string {
    const parts = partsOf(iso);
    return parts === undefined
      ? iso
      : parts
          .map(([amount, unit]) =>
            amount.toLocaleString(this.locale, { style: 'unit', unit, unitDisplay: 'long' }),
          )
          .join(' ');
  }

  /** The name of a day of the week, 0 for Monday. */
  weekday(day: number): string {
    return this.dateName(Date.UTC(2024, 0, 1 + day), { weekday: 'long' }); // which was a Monday
  }

  /** The name of a month, 0 for January. */
  month(month: number): string {
    return this.dateName(Date.UTC(2024, month, 1), { month: 'long' });
  }

  private dateName(at: number, part: Intl.DateTimeFormatOptions): string {
    return new Date(at).toLocaleDateString(this.locale, { ...part, timeZone: 'UTC' });
  }

  /** Several things in a sentence: `a, b and c`. */
  list(things: readonly string[]): string {
    return new Intl.ListFormat(this.locale).format(things);
  }
}

/** A text that is no time is said to be none, as the browser does it. */
function shown(as: Intl.DateTimeFormat, instant: string | number): string {
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? String(at) : as.format(at);
}

function exponent(bytes: number): number {
  return Math.floor(Math.log2(bytes) / 10);
}

const SIZE = /^\s*([0-9]+(?:[.,][0-9]+)?)\s*([KMGTP]?)(i?)B?\s*$/i;
const BLOCK = 4096;

/**
 * The bytes of a size such as `10 GiB`, `10G` (binary, as everywhere here) or `1.5 TB` (decimal), rounded up to 4 KiB;
 * absent if the text is none.
 */
export function parseSize(text: string): number | undefined {
  const match = SIZE.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, digits, letter, binary] = match;
  const step = binary !== '' || !/b\s*$/i.test(text) ? STEP : 1000;
  const power = ['', 'K', 'M', 'G', 'T', 'P'].indexOf(letter!.toUpperCase());
  const bytes = Number(digits!.replace(',', '.')) * step ** power;
  const rounded = Math.ceil(bytes / BLOCK) * BLOCK;
  return rounded > 0 && Number.isSafeInteger(rounded) ? rounded : undefined;
}

/** A multiple of 4 KiB as a text that {@link parseSize} makes the same bytes of, such as `10 GiB`. */
export function exactSize(bytes: number): string {
  const power = UNITS.findLastIndex((_, one) => bytes >= STEP ** one && bytes % STEP ** one === 0);
  return power <= 0 ? String(bytes) : `${bytes / STEP ** power} ${UNITS[power]}`;
}
