import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { Rows } from '../api/lists';
import { DataTable } from './data-table';
import { ProblemAlert } from './problem-alert';

type TableProps<T> = Omit<ComponentProps<typeof DataTable<T>>, 'list'>;

/** A table of a list that is read from the API: why it cannot be read, or its rows. */
export function ListTable<T>({ query, ...table }: TableProps<T> & { query: UseQueryResult<Rows<T>> }) {
  return (
    <>
      {query.isError && <ProblemAlert error={query.error} retry={() => void query.refetch()} />}
      <DataTable {...table} list={query.data} />
    </>
  );
}
