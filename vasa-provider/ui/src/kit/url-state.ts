import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/**
 * A part of what is shown, kept in the address: a link shows the same again. Its usual value is not
 * written.
 */
export function useUrlState(name: string, usual: string): [string, (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === usual) {
            next.delete(name);
          } else {
            next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    [name, usual, setSearch],
  );
  return [search.get(name) ?? usual, set];
}
