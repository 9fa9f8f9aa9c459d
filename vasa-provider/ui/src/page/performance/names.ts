import { queryOptions, useQueries } from '@tanstack/react-query';
import { call } from '../../api/call';
import { ProblemError } from '../../api/problem';
import { send } from '../../api/send';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { hostName } from '../host/host-table';
import { nameOf } from '../volumes-page';
import { unique } from './lines';
import { keyOf, type LoadObject, type ObjectKind } from './load-object';

/** An object with its name. */
export interface Named {
  object: LoadObject;
  key: string;
  /** Unlike that of the others. */
  name: string;
  /** Whether it was found: only then may the stream be asked for it. */
  isFound: boolean;
  /** Whether it is not there, or is hidden. */
  isGone: boolean;
}

/** The statuses of what is not there, and of what this account may not see. */
const HIDDEN = new Set([403, 404]);

/** What a change of which makes a name stale. */
const LISTS: Record<ObjectKind, string> = {
  system: 'system',
  container: 'containers',
  vm: 'vms',
  volume: 'volumes',
  host: 'hosts',
  initiator: 'initiators',
};

/** The objects with their names. */
export function useNamed(objects: readonly LoadObject[]): readonly Named[] {
  const text = useText();
  const found = useQueries({ queries: objects.map(nameQuery) });
  const names = unique(objects.map((object, i) => found[i]?.data ?? nameless(object, text)));
  return objects.map((object, i) => ({
    object,
    key: keyOf(object),
    name: names[i]!,
    isFound: found[i]?.isSuccess ?? false,
    isGone: isHidden(found[i]?.error),
  }));
}

function nameQuery(object: LoadObject) {
  return queryOptions({
    queryKey: [LISTS[object.kind], 'name', object.id],
    queryFn: ({ signal }) => nameFrom(object, signal),
  });
}

/** The name; null where none is needed, or there is none. */
async function nameFrom({ kind, id }: LoadObject, signal: AbortSignal): Promise<string | null> {
  const path = { id };
  switch (kind) {
    case 'container':
      return (await send(call('GET /containers/{id}', { path }), signal)).name;
    case 'vm':
      return (await send(call('GET /vms/{id}', { path }), signal)).name;
    case 'volume':
      return nameOf(await send(call('GET /vvols/{id}', { path }), signal));
    case 'host':
      return hostName(await send(call('GET /hosts/{id}', { path }), signal));
    default:
      return null;
  }
}

function nameless({ kind, id }: LoadObject, text: Text): string {
  return kind === 'system' ? text.performance.all : id;
}

function isHidden(error: Error | null | undefined): boolean {
  return error instanceof ProblemError && HIDDEN.has(error.problem.status);
}
