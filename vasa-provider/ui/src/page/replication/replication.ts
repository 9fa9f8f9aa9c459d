import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';

export type Peer = Output<'GET /replication/peers/{id}'>;
export type Offer = Output<'POST /replication/codes'>;
export type Group = Output<'GET /replication/groups/{id}'>;
export type Replica = Output<'GET /replication/groups/{id}/replicas'>['items'][number];

/** The keys of the lists in the cache. */
export const KEYS = {
  peers: ['replication', 'peers'],
  groups: ['replication', 'groups'],
} as const;

/** The calls of pages of the lists. */
export const PEERS: PageCall<Peer> = (query) => call('GET /replication/peers', { query });
export const GROUPS: PageCall<Group> = (query) => call('GET /replication/groups', { query });

/**
 * How often groups are read again while somebody sees them: a lag grows without an event. The queries stop by
 * themselves while the page is hidden.
 */
export const LIST_MILLIS = 10_000;
export const GROUP_MILLIS = 5_000;

/** The names of peers by their ids, as far as they are known. */
export function usePeerNames(): ReadonlyMap<string, string> {
  const rows = useRows(KEYS.peers, PEERS).data?.rows;
  return useMemo(() => new Map((rows ?? []).map(({ id, name }) => [id, name])), [rows]);
}

/** Has all of replication read again after an own change, which not every event tells of. */
export function useReadAgain(): () => void {
  const queries = useQueryClient();
  return useCallback(
    () => void queries.invalidateQueries({ queryKey: ['replication'] }),
    [queries],
  );
}

export function groupPath({ id }: Pick<Group, 'id'>): string {
  return `/replication/groups/${id}`;
}
