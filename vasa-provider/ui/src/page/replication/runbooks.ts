import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { GROUPS, KEYS } from './replication';

export type Runbook = Output<'GET /replication/runbooks/{id}'>;
export type Report = Output<'GET /replication/runbooks/{id}/runs/{run}'>;

/** The key of the list in the cache. */
export const RUNBOOKS_KEY = ['replication', 'runbooks'] as const;

/** The call of pages of the list. */
export const RUNBOOKS: PageCall<Runbook> = (query) => call('GET /replication/runbooks', { query });

/** How often a runbook is read again while somebody sees it: its steps go on without an event for each. */
export const RUNBOOK_MILLIS = 5_000;

export function runbookPath({ id }: Pick<Runbook, 'id'>): string {
  return `/replication/runbooks/${id}`;
}

/** What a runbook names by ids. */
export type Names = ReadonlyMap<string, string>;

/** The names of groups, hosts and host groups by their ids, as far as they are known. */
export function useNames(): Names {
  const groups = useRows(KEYS.groups, GROUPS).data?.rows;
  const hosts = useRows(['hosts', 'plain'], (query) => call('GET /hosts', { query })).data?.rows;
  const hostGroups = useRows(['hosts', 'groups'], (query) => call('GET /host-groups', { query }))
    .data?.rows;
  return useMemo(
    () =>
      new Map(
        [...(groups ?? []), ...(hosts ?? []), ...(hostGroups ?? [])].map(({ id, name }) => [
          id,
          name ?? id,
        ]),
      ),
    [groups, hosts, hostGroups],
  );
}
