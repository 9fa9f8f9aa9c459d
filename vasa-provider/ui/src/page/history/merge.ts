/** Something with a time. */
export interface Timed {
  /** ISO 8601. */
  at: string;
}

/** A list that is read by parts, the newest entries first, and merged with others. */
export interface Source<N extends string, E extends Timed> {
  readonly name: N;
  /** What was read and not given out yet. */
  readonly waiting: readonly E[];
  /** Where its next part begins; absent for the first one. */
  readonly cursor: string | undefined;
  /** Whether all of it was read. */
  readonly ended: boolean;
}

/** A part of a list. */
export interface Part<E> {
  entries: readonly E[];
  /** Where the next part begins; null at the end. */
  next: string | null;
}

/** Entries of all lists, and what is left of the lists behind them. */
export interface Merged<N extends string, E extends Timed> {
  entries: readonly E[];
  rest: readonly Source<N, E>[];
}

/** Lists of which nothing was read. */
export function unread<N extends string, E extends Timed>(names: readonly N[]): Source<N, E>[] {
  return names.map((name) => ({ name, waiting: [], cursor: undefined, ended: false }));
}

/** Whether nothing is left in any of the lists. */
export function isDone<N extends string, E extends Timed>(sources: readonly Source<N, E>[]): boolean {
  return sources.every(({ waiting, ended }) => ended && waiting.length === 0);
}

/** The lists of which a part has to be read before the next entry of all is known. */
export function hungry<N extends string, E extends Timed>(
  sources: readonly Source<N, E>[],
): readonly Source<N, E>[] {
  return sources.filter(({ waiting, ended }) => !ended && waiting.length === 0);
}

/** The lists, one of which has got its next part. */
export function fed<N extends string, E extends Timed>(
  sources: readonly Source<N, E>[],
  name: N,
  { entries, next }: Part<E>,
): readonly Source<N, E>[] {
  return sources.map((source) =>
    source.name === name
      ? {
          name,
          waiting: [...source.waiting, ...entries],
          cursor: next ?? undefined,
          ended: next === null,
        }
      : source,
  );
}

/**
 * Gives out the newest entries of all lists in the order of their times, until one of the lists has
 * to be read. Of entries of one time those of the list that stands first come first.
 */
export function drained<N extends string, E extends Timed>(
  sources: readonly Source<N, E>[],
  most: number,
): Merged<N, E> {
  const left = sources.map(({ waiting }) => [...waiting]);
  const entries: E[] = [];
  while (entries.length < most) {
    const newest = newestOf(left);
    if (newest === undefined) {
      break;
    }
    entries.push(left[newest]!.shift()!);
    if (left[newest]!.length === 0 && !sources[newest]!.ended) {
      break;
    }
  }
  return { entries, rest: sources.map((source, i) => ({ ...source, waiting: left[i]! })) };
}

/** The index of the list whose first entry is the newest; absent if all are empty. */
function newestOf<E extends Timed>(lists: readonly (readonly E[])[]): number | undefined {
  let found: number | undefined;
  let latest = -Infinity;
  lists.forEach((list, i) => {
    const first = list[0];
    if (first !== undefined && Date.parse(first.at) > latest) {
      latest = Date.parse(first.at);
      found = i;
    }
  });
  return found;
}

/**
 * The next entries of all lists, the newest first. Parts of lists are read as they are needed, those
 * of several lists at once.
 *
 * @param most entries, fewer only at the end of all lists
 * @throws whatever reading throws; nothing is lost then, as the lists are as they were
 */
export async function nextOf<N extends string, E extends Timed>(
  sources: readonly Source<N, E>[],
  most: number,
  read: (name: N, cursor: string | undefined) => Promise<Part<E>>,
): Promise<Merged<N, E>> {
  let rest = sources;
  const entries: E[] = [];
  while (entries.length < most && !isDone(rest)) {
    const parts = await Promise.all(
      hungry(rest).map(async ({ name, cursor }) => ({ name, part: await read(name, cursor) })),
    );
    for (const { name, part } of parts) {
      rest = fed(rest, name, part);
    }
    if (hungry(rest).length === 0) {
      const some = drained(rest, most - entries.length);
      entries.push(...some.entries);
      rest = some.rest;
    }
  }
  return { entries, rest };
}
