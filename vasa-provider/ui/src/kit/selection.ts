import { useMemo, useState } from 'react';
import type { Rows } from '../api/lists';

const NONE: ReadonlySet<string> = new Set();

export interface Selection<T> {
  ids: ReadonlySet<string>;
  set: (ids: ReadonlySet<string>) => void;
  /** The selected rows that are still there. */
  chosen: readonly T[];
  /** The selected row if it is a single one. */
  only: T | undefined;
  clear: () => void;
}

/** Which rows of a list are selected. */
export function useSelection<T>(list: Rows<T> | undefined, idOf: (row: T) => string): Selection<T> {
  const [ids, set] = useState(NONE);
  const chosen = useMemo(
    () => (ids.size === 0 ? [] : (list?.rows ?? []).filter((row) => ids.has(idOf(row)))),
    [ids, list, idOf],
  );
  return {
    ids,
    set,
    chosen,
    only: chosen.length === 1 ? chosen[0] : undefined,
    clear: () => set(NONE),
  };
}
