import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Call } from './call';
import { ProblemError } from './problem';
import { send } from './send';

const FIRST_PAGE = 100;
const PAGE = 1000;
const NOT_FOUND = 404;

/** All rows of a list, or those that have come so far. */
export interface Rows<T> {
  rows: readonly T[];
  /** How many there are at the server. */
  total: number;
  complete: boolean;
}

interface Page<T> {
  items: T[];
  next?: string | null;
  total?: number | null;
}

/** The call of one page of a list. */
export type PageCall<T> = (page: { limit: number; cursor?: string; total?: boolean }) => Call<Page<T>>;

/**
 * A list with all of its rows: the first hundred at once, the others behind them. Once complete, it
 * is searched and sorted here.
 *
 * @param key the first part names what the list is about
 * @param wanted whether it is read already
 * @param everyMillis how often it is read again while somebody sees the page; none: as events say
 */
export function useRows<T>(
  key: readonly [string, ...unknown[]],
  page: PageCall<T>,
  wanted = true,
  everyMillis?: number,
) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: key,
    enabled: wanted,
    refetchInterval: everyMillis ?? false,
    queryFn: ({ signal }) => load(queries, key, page, signal),
  });
}

async function load<T>(
  queries: QueryClient,
  key: readonly unknown[],
  page: PageCall<T>,
  signal: AbortSignal,
): Promise<Rows<T>> {
  const isFirst = queries.getQueryData<Rows<T>>(key)?.complete !== true;
  let answer = await send(page({ limit: isFirst ? FIRST_PAGE : PAGE, total: true }), signal);
  const total = answer.total ?? answer.items.length;
  const rows = answer.items;
  while (answer.next !== null && answer.next !== undefined) {
    if (isFirst) {
      queries.setQueryData<Rows<T>>(key, { rows: [...rows], total, complete: false });
    }
    answer = await send(page({ limit: PAGE, cursor: answer.next }), signal);
    rows.push(...answer.items);
  }
  return { rows, total: rows.length, complete: true };
}

/**
 * Reads one object again and puts it into a list that was read: in its place, at the end if it is
 * new, and out if it is gone.
 */
export async function patchRow<T extends { id: string }>(
  queries: QueryClient,
  key: readonly unknown[],
  id: string,
  get: Call<T>,
): Promise<void> {
  let found: T | undefined;
  try {
    found = await send(get);
  } catch (e) {
    if (!(e instanceof ProblemError) || e.problem.status !== NOT_FOUND) {
      throw e;
    }
  }
  queries.setQueryData<Rows<T>>(key, (list) => list && patched(list, id, found));
}

/** A list with a row as it is now. */
export function patched<T extends { id: string }>(
  list: Rows<T>,
  id: string,
  now: T | undefined,
): Rows<T> {
  const at = list.rows.findIndex((row) => row.id === id);
  const rows = [...list.rows];
  if (now === undefined) {
    if (at < 0) {
      return list;
    }
    rows.splice(at, 1);
  } else if (at < 0) {
    rows.push(now);
  } else {
    rows[at] = now;
  }
  return { ...list, rows, total: list.total + rows.length - list.rows.length };
}
