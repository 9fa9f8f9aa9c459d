import type { Zone } from '../text/preferences';

const MINUTE_MILLIS = 60_000;
const TO_THE_MINUTE = 'yyyy-mm-ddThh:mm'.length;

/** An instant as a field of date and time has it; empty if the text is none. */
export function inputOf(instant: string, zone: Zone): string {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) {
    return '';
  }
  const shift = zone === 'utc' ? 0 : new Date(at).getTimezoneOffset() * MINUTE_MILLIS;
  return new Date(at - shift).toISOString().slice(0, TO_THE_MINUTE);
}

/** The instant that was typed into a field of date and time; empty if it is none yet. */
export function instantOf(typed: string, zone: Zone): string {
  const at = Date.parse(zone === 'utc' ? `${typed}Z` : typed);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
