import { call, type Call, type Output } from '../../api/call';
import type { Subject } from '../../live/figures';

export type History = Output<'GET /system/history'>;

export const KINDS = ['system', 'container', 'vm', 'volume', 'host', 'initiator'] as const;
export type ObjectKind = (typeof KINDS)[number];

/** An object whose load is recorded. */
export interface LoadObject {
  kind: ObjectKind;
  /** Its id, or the name of an initiator; empty for the array. */
  id: string;
}

/** The whole array. */
export const SYSTEM: LoadObject = { kind: 'system', id: '' };

/** How many fit side by side. */
export const MOST_OBJECTS = 6;

const SEPARATOR = '/'; // which is in no id and in no name of an initiator

/** The object as one word, such as `vm:5023b2f0-1111`. */
export function keyOf({ kind, id }: LoadObject): string {
  return kind === 'system' ? kind : `${kind}:${id}`;
}

/** The objects as the address has them. */
export function textOf(objects: readonly LoadObject[]): string {
  return objects.map(keyOf).join(SEPARATOR);
}

/** The objects of an address. What is none, or comes twice, is left out. */
export function parseObjects(text: string): LoadObject[] {
  const objects = [...new Set(text.split(SEPARATOR))].flatMap((key) => parsed(key) ?? []);
  return objects.slice(0, MOST_OBJECTS);
}

function parsed(key: string): LoadObject | undefined {
  if (key === SYSTEM.kind) {
    return SYSTEM;
  }
  const at = key.indexOf(':');
  if (at < 0) {
    return undefined;
  }
  const kind = KINDS.find((one) => one !== SYSTEM.kind && one === key.slice(0, at));
  const id = key.slice(at + 1);
  return kind === undefined || id === '' ? undefined : { kind, id };
}

/** What the stream calls the object; absent if it has no figures of its kind. */
export function subjectOf({ kind, id }: LoadObject): Subject | undefined {
  switch (kind) {
    case 'system':
      return 'system';
    case 'vm':
      return `vm:${id}`;
    case 'volume':
      return `volume:${id}`;
    default:
      return undefined;
  }
}

/** The page of the object; absent if its kind has none. */
export function pageOf({ kind, id }: LoadObject): string | undefined {
  switch (kind) {
    case 'vm':
      return `/vms/${encodeURIComponent(id)}`;
    case 'volume':
      return `/volumes/${id}`;
    default:
      return undefined;
  }
}

/** The page that shows the objects side by side. */
export function sideBySide(objects: readonly LoadObject[]): string {
  return `/performance?${new URLSearchParams({ objects: textOf(objects) }).toString()}`;
}

/** A span of history: two times, or a length that ends now. */
export interface HistoryQuery {
  from?: string;
  to?: string;
  window?: string;
  step?: '10s';
  series: string;
}

/** The history of the object. */
export function historyOf({ kind, id }: LoadObject, query: HistoryQuery): Call<History> {
  switch (kind) {
    case 'system':
      return call('GET /system/history', { query });
    case 'container':
      return call('GET /containers/{id}/history', { path: { id }, query });
    case 'vm':
      return call('GET /vms/{id}/history', { path: { id }, query });
    case 'volume':
      return call('GET /vvols/{id}/history', { path: { id }, query });
    case 'host':
      return call('GET /hosts/{id}/history', { path: { id }, query });
    case 'initiator':
      return call('GET /initiators/{name}/history', { path: { name: id }, query });
  }
}
