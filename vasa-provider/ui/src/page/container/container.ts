import { call, type Output } from '../../api/call';
import type { PageCall } from '../../api/lists';

export type Container = Output<'GET /containers/{id}'>;

/** The call of a page of the list of containers. */
export const CONTAINERS: PageCall<Container> = (query) => call('GET /containers', { query });

/** Why a container cannot be deleted, by what it holds; nothing, if it can. */
export function holds(
  container: Pick<Container, 'vvols' | 'reclaimable'>,
): 'volumes' | 'bin' | 'nothing' {
  return container.vvols > 0 ? 'volumes' : container.reclaimable > 0 ? 'bin' : 'nothing';
}
