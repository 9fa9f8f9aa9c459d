import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Does something with a query when nothing of it is on its way. An answer that is may be of the time
 * before a change, and would take the place of what came later.
 */
export function afterReading(query: Query, act: () => void): void {
  const reading = query.state.fetchStatus === 'fetching' ? query.promise : undefined;
  if (reading === undefined) {
    act();
  } else {
    const later = () => setTimeout(() => afterReading(query, act)); // the query takes the answer first
    reading.then(later, later);
  }
}

/** Has queries read again: at once, or when what is on its way to them has come. */
export function readAgain(queries: QueryClient, chosen: (query: Query) => boolean): void {
  for (const query of queries.getQueryCache().findAll({ predicate: chosen })) {
    afterReading(
      query,
      () =>
        void queries.invalidateQueries(
          { queryKey: query.queryKey, exact: true },
          { cancelRefetch: false },
        ),
    );
  }
}
