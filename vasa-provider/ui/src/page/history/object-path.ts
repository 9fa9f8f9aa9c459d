type ToPath = (id: string) => string;

const found =
  (page: string, tab = ''): ToPath =>
  (id) =>
    `${page}?${tab === '' ? '' : `tab=${tab}&`}q=${encodeURIComponent(id)}`;
const at =
  (page: string): ToPath =>
  (id) =>
    `${page}/${encodeURIComponent(id)}`;
const here =
  (page: string): ToPath =>
  () =>
    page;

/** Pages of objects, by the type that events give them. What is not here has no page. */
const BY_TYPE: Readonly<Record<string, ToPath>> = {
  Volume: at('/volumes'),
  VirtualVolumeInfo: at('/volumes'),
  VirtualMachine: at('/vms'),
  StorageContainer: at('/containers'),
  CapabilityProfile: at('/policies'),
  ProtectionPolicy: at('/protection/policies'),
  ProtectionGroup: found('/protection', 'groups'),
  ReplicationGroup: at('/replication/groups'),
  Runbook: at('/replication/runbooks'),
  Peer: found('/replication', 'peers'),
  Host: found('/hosts'),
  Initiator: found('/hosts'),
  Export: found('/hosts', 'exports'),
  Alert: (id) => `/events?kind=alert&entry=${encodeURIComponent(`alert:${id}`)}`,
  AlertTarget: found('/events', 'targets'),
  Account: found('/access', 'accounts'),
  Session: found('/access', 'sessions'),
  Token: found('/access', 'tokens'),
  Approval: found('/access', 'approvals'),
  LockLimit: here('/housekeeping?tab=locks'),
  Scrub: here('/housekeeping'),
  Portal: here('/housekeeping?tab=portals'),
  Registration: found('/vcenters'),
  ProtocolEndpoint: here('/vcenters?tab=endpoints'),
  StorageArray: here('/'),
};

/** Kinds of objects that alerts are about, as types of events. */
const ALERT_KINDS: Readonly<Record<string, string>> = {
  system: 'StorageArray',
  container: 'StorageContainer',
  volume: 'Volume',
  'replication-group': 'ReplicationGroup',
  peer: 'Peer',
  runbook: 'Runbook',
};

/** The page of an object of an event; absent if it has none. */
export function objectPath(type: string | null, id: string | null): string | undefined {
  return type === null || id === null ? undefined : own(BY_TYPE, type)?.(id);
}

/** The page of what an alert is about; absent if it has none. */
export function aboutPath(kind: string, id: string): string | undefined {
  return objectPath(own(ALERT_KINDS, kind) ?? null, id);
}

/** A value that a table has itself: a type that the server sends may have any name. */
function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
