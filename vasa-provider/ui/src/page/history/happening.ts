import { actorOf, type Entry, keyOf, objectsOf, sentenceOf, traceOf } from './entry';

/** A row of the timeline: an entry, with the others that the same call has left. */
export interface Happening {
  key: string;
  at: string;
  /** In the order of the list. */
  entries: readonly Entry[];
}

/** The entries as rows, those of one call in one row, at the place of the first of them. */
export function joined(entries: readonly Entry[]): readonly Happening[] {
  const rows: (Happening & { entries: Entry[] })[] = [];
  const byTrace = new Map<string, { entries: Entry[] }>();
  for (const entry of entries) {
    const trace = traceOf(entry);
    const known = trace === undefined ? undefined : byTrace.get(trace);
    if (known !== undefined) {
      known.entries.push(entry);
      continue;
    }
    const row = { key: keyOf(entry), at: entry.at, entries: [entry] };
    rows.push(row);
    if (trace !== undefined) {
      byTrace.set(trace, row);
    }
  }
  return rows;
}

/** The entry that says best what happened: the event, whose sentence is for people, if there is one. */
export function headOf(row: Happening): Entry {
  return row.entries.find(({ kind }) => kind === 'event') ?? row.entries[0]!;
}

/** The row that an entry is in. */
export function rowOf(rows: readonly Happening[], key: string): Happening | undefined {
  return rows.find((row) => row.entries.some((entry) => keyOf(entry) === key));
}

/** How a row stands out. */
export function statusOf(row: Happening): 'danger' | 'warning' | 'success' | undefined {
  const all = row.entries.map(entryStatus);
  return (['danger', 'warning', 'success'] as const).find((status) => all.includes(status));
}

function entryStatus(entry: Entry): 'danger' | 'warning' | 'success' | undefined {
  switch (entry.kind) {
    case 'alert':
      return entry.alert.state === 'resolved'
        ? 'success'
        : entry.alert.severity === 'critical'
          ? 'danger'
          : 'warning';
    case 'job':
      return entry.job.state === 'error' ? 'danger' : undefined;
    case 'event':
      return undefined;
    case 'audit':
      return entry.audited.outcome === 'failed'
        ? 'danger'
        : entry.audited.outcome === 'refused'
          ? 'warning'
          : undefined;
  }
}

/** What a search looks in. */
export function textOf(row: Happening): string {
  return row.entries
    .flatMap((entry) => [
      sentenceOf(entry),
      actorOf(entry) ?? '',
      traceOf(entry) ?? '',
      ...objectsOf(entry),
    ])
    .join('\n');
}
