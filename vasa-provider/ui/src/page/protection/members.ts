import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { nameOf, type Vvol } from '../volumes-page';

type Machine = Output<'GET /vms'>['items'][number];

/** The calls of pages of what can be a member of a group. */
export const VOLUMES: PageCall<Vvol> = (query) => call('GET /vvols', { query });
const MACHINES: PageCall<Machine> = (query) => call('GET /vms', { query });

/** All virtual machines. */
export function useMachines() {
  return useRows(['vms'], MACHINES);
}

/** The names of volumes by their ids, as far as they are known. */
export function useVolumeNames(): ReadonlyMap<string, string> {
  const rows = useRows(['volumes'], VOLUMES).data?.rows;
  return useMemo(() => new Map((rows ?? []).map((row) => [row.id, nameOf(row)])), [rows]);
}
