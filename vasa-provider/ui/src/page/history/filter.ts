import { type Entry, type Kind, KINDS, objectsOf } from './entry';

/** Which entries are wanted. An empty text wants all. */
export interface Filter {
  kind: string;
  severity: string;
  actor: string;
  object: string;
  /** Instants: from the first on, and before the second. */
  since: string;
  until: string;
}

export const FILTER_NAMES = ['kind', 'severity', 'actor', 'object', 'since', 'until'] as const;

const SEVERITIES = ['warning', 'critical'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** The severity that is wanted, if it is one. */
export function severityOf(filter: Filter): Severity | undefined {
  return SEVERITIES.find((severity) => severity === filter.severity);
}

/** The lists that can have what is wanted: alerts alone have a severity, and neither they nor jobs an actor. */
export function kindsOf(filter: Filter): readonly Kind[] {
  return KINDS.filter(
    (kind) =>
      (filter.kind === '' || filter.kind === kind) &&
      (severityOf(filter) === undefined || kind === 'alert') &&
      (filter.actor === '' || kind === 'event' || kind === 'audit'),
  );
}

/** Whether an entry is about the wanted object and of the wanted time, for lists that the server does not filter so. */
export function isWanted(entry: Entry, filter: Filter): boolean {
  return (
    (filter.object === '' || objectsOf(entry).includes(filter.object)) &&
    !isBefore(entry, filter.since) &&
    (filter.until === '' || isBefore(entry, filter.until))
  );
}

/** Whether an entry is older than an instant; false for no instant. */
export function isBefore(entry: Entry, instant: string): boolean {
  return instant !== '' && Date.parse(entry.at) < Date.parse(instant);
}
