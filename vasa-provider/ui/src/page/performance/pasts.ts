import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { send } from '../../api/send';
import type { LiveFigures } from '../../live/figures';
import { hasHole } from './lines';
import { type History, type HistoryQuery, historyOf, keyOf, type LoadObject } from './load-object';
import { PARTS, SERIES } from './measures';
import { instant, spanText } from './span';
import type { Shown } from './shown-state';

/** The history of an object, or why it cannot be read. */
export interface Past {
  key: string;
  history?: History;
  error?: unknown;
}

/** The histories of the objects that are shown, of the same time. */
export function usePasts({ objects, fixed, window }: Shown) {
  const query: HistoryQuery = {
    ...(fixed === undefined ? { window } : { from: instant(fixed.from), to: instant(fixed.to) }),
    series: objects.length === 1 ? `${SERIES},${PARTS}` : SERIES,
  };
  return useQuery({
    queryKey: [
      'history',
      'beside',
      fixed === undefined ? window : spanText(fixed),
      ...objects.map(keyOf),
    ],
    staleTime: fixed === undefined ? 0 : Infinity, // that of up to now has ended since
    placeholderData: keepPreviousData, // while somebody zooms
    queryFn: ({ signal }) => Promise.all(objects.map((one) => pastOf(one, query, signal))),
  });
}

// What cannot be read of one object leaves the others.
async function pastOf(object: LoadObject, query: HistoryQuery, signal: AbortSignal): Promise<Past> {
  const key = keyOf(object);
  try {
    return { key, history: await send(historyOf(object, query), signal) };
  } catch (error) {
    if (signal.aborted) {
      throw error;
    }
    return { key, error };
  }
}

/** Reads histories again once the figures of the stream that are kept do not reach back to them. */
export function useFilled(
  pasts: readonly Past[] | undefined,
  live: ReadonlyMap<string, readonly LiveFigures[]>,
  refetch: () => unknown,
): void {
  const holed =
    pasts?.some(
      ({ key, history }) => history !== undefined && hasHole(history, live.get(key) ?? []),
    ) ?? false;
  useEffect(() => {
    if (holed) {
      void refetch();
    }
  }, [holed, refetch]);
}
