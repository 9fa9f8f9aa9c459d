import type { components } from '../../generated/api';

export type Step = components['schemas']['StepEntryRequest'];
export type Export = components['schemas']['ExportEntryRequest'];
export type Times = components['schemas']['TestTimesRequest'];

const STEP = /^(.+?)(?:\s+pause\s+(\S+))?$/;
const EXPORT = /^(.+?)\s+to\s+(host\s+|host-group\s+)?(.+?)(?:\s+lun\s+(\d{1,5}))?$/;
const DAILY = /^daily\s+(\d{1,2}:\d{2})(?:\s+(\S+))?$/;
const WEEKLY = /^weekly\s+(\S+)\s+(\d{1,2}:\d{2})(?:\s+(\S+))?$/;
const SPAN = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9})s)?$/;
const LARGEST_LUN = 16383;
const LETTERS = 3;
const DAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
type Day = (typeof DAYS)[number];

/** The lines of a text, without those that are empty; a part of a runbook is on each, as the command line has it. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A step such as `db, logs pause 30s`; absent if it is none. */
export function stepOf(line: string): Step | undefined {
  const [, names = '', pause] = STEP.exec(line) ?? [];
  const groups = names.split(',').map((name) => name.trim());
  const span = pause === undefined ? undefined : spanOf(pause);
  return groups.some((group) => group === '') || (pause !== undefined && span === undefined)
    ? undefined
    : { groups, ...(span === undefined ? {} : { pause: span }) };
}

/** An export such as `db to cluster lun 10`, or `db to host web-1`; absent if it is none. */
export function exportOf(line: string): Export | undefined {
  const found = EXPORT.exec(line);
  if (found === null) {
    return undefined;
  }
  const [, group = '', kind, name = '', lun] = found;
  if (lun !== undefined && Number(lun) > LARGEST_LUN) {
    return undefined;
  }
  return {
    group,
    ...(kind?.trim() === 'host' ? { host: name } : { hostGroup: name }),
    ...(lun === undefined ? {} : { lun: Number(lun) }),
  };
}

/** Times such as `daily 02:00 Europe/Berlin`, or `weekly mon,thu 02:00 UTC`; absent if they are none. */
export function timesOf(line: string): Times | undefined {
  const daily = DAILY.exec(line);
  if (daily !== null) {
    return { at: timeOf(daily[1]!), zone: daily[2] ?? 'UTC', days: [] };
  }
  const weekly = WEEKLY.exec(line);
  const days = weekly?.[1]?.split(',').map(dayOf);
  return weekly === null || days === undefined || days.includes(undefined)
    ? undefined
    : {
        at: timeOf(weekly[2]!),
        zone: weekly[3] ?? 'UTC',
        days: days.filter((day) => day !== undefined),
      };
}

function dayOf(start: string): Day | undefined {
  return start.length < LETTERS
    ? undefined
    : DAYS.find((day) => day.startsWith(start.toLowerCase()));
}

function timeOf(text: string): string {
  return text.padStart('02:00'.length, '0');
}

/** A length of time such as `1h30m` in ISO 8601; absent if it is none. */
export function spanOf(text: string): string | undefined {
  return text === '' || !SPAN.test(text) ? undefined : `PT${text.toUpperCase()}`;
}

/** A length of time in ISO 8601 as it is typed; empty for none. */
export function spanText(iso: string | null | undefined): string {
  return (iso ?? '').replace(/^P(T?)/, '').replace('T', '').toLowerCase();
}

/** The line of times; empty for none. */
export function timesLine(times: { at: string; zone: string; days: readonly string[] } | null): string {
  if (times === null) {
    return '';
  }
  const days = times.days.map((day) => day.slice(0, LETTERS)).join(',');
  return `${days === '' ? 'daily' : `weekly ${days}`} ${times.at} ${times.zone}`;
}
