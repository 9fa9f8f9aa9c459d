import type { QueryClient } from '@tanstack/react-query';
import { call, type Call } from '../api/call';
import { patchRow } from '../api/lists';
import type { components } from '../generated/api';
import type { LiveMessage } from './follower';
import { afterReading, readAgain } from './reading';

type Occurrence = components['schemas']['Occurrence'];

/**
 * Which lists and objects a change makes stale, by the type of the changed object. The first part of a query's key
 * is one of these names.
 */
const STALE: Record<string, readonly string[]> = {
  Volume: ['volumes', 'vms', 'bin', 'space', 'containers', 'orphans'],
  VirtualVolumeInfo: ['volumes', 'vms', 'bin', 'space', 'containers', 'orphans'],
  Snapshot: ['snapshots', 'volumes', 'bin', 'space', 'protection', 'locks', 'orphans'],
  VirtualMachine: ['vms', 'volumes'],
  StorageContainer: ['containers'],
  Registration: ['registrations', 'containers'],
  ProtocolEndpoint: ['protocol-endpoints'],
  Export: ['exports', 'volumes', 'orphans'],
  TemporaryExport: ['temporary-exports', 'exports', 'orphans'],
  Host: ['hosts'],
  HostGroup: ['hosts'],
  Initiator: ['hosts'],
  IscsiSession: ['hosts', 'iscsi', 'offloads'],
  Portal: ['iscsi'],
  Alert: ['alerts'],
  AlertTarget: ['alert-targets'],
  Job: ['jobs'],
  Scrub: ['scrub'],
  StorageArray: ['space', 'scrub'],
  LockLimit: ['locks'],
  Account: ['accounts', 'sessions', 'tokens'],
  Session: ['sessions', 'accounts'],
  Token: ['tokens'],
  Approval: ['approvals', 'locks', 'containers'],
  CapabilityProfile: ['policies', 'volumes'],
  Schedule: ['schedules'],
  ProtectionPolicy: ['protection', 'volumes'],
  ProtectionGroup: ['protection', 'volumes'],
  RecoveryPoint: ['protection', 'snapshots'],
  ReplicationGroup: ['replication'],
  Runbook: ['replication'],
  Peer: ['replication'],
};

/** What follows a change by itself, a moment later: a volume that a group protects gets its journal. */
const FOLLOWS: Record<string, readonly string[]> = {
  ProtectionPolicy: ['timeline'],
  ProtectionGroup: ['timeline'],
};
const FOLLOWED_MILLIS = 3000;

/** The messages of changes of limits, which a chart marks. */
const LIMITS_CHANGED = /\.(Volume|Machine)Limits$/;

/** Types whose id is that of a volume. */
const VOLUMES = new Set(['Volume', 'VirtualVolumeInfo']);

const GATHERED_MILLIS = 300;
const MOST_PATCHED = 20;

/** Lists whose rows are read again one by one, if few have changed, and the GET of a row. */
const PATCHED: Record<string, (id: string) => Call<{ id: string }>> = {
  volumes: (id) => call('GET /vvols/{id}', { path: { id } }),
};

/**
 * Keeps what was read up to date. Changes of {@link GATHERED_MILLIS} are taken together: a script
 * that makes a thousand volumes causes some reads, not thousands.
 */
export class Changes {
  private readonly queries: QueryClient;
  private readonly stale = new Set<string>();
  private readonly ids = new Map<string, Set<string>>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(queries: QueryClient) {
    this.queries = queries;
  }

  take(message: LiveMessage): void {
    if (message.event === 'event') {
      this.occurred(message.data as Occurrence);
    } else if (message.event === 'changed') {
      const { type } = message.data as { type: string };
      if (type === 'IscsiSession') {
        this.mark(STALE[type]!); // no event is written about one
      }
    } else if (message.event === 'job') {
      this.mark(['jobs', 'events']); // what happened shows jobs among events
    }
  }

  /** Marks all that was read: events may have been missed. */
  everything(): void {
    readAgain(this.queries, () => true);
  }

  private occurred({ objectType, objectId, vvols, message }: Occurrence): void {
    const names = [
      'events',
      ...(STALE[objectType ?? ''] ?? []),
      ...(isOfLimits(message) ? ['limit-changes'] : []),
    ];
    const followers = FOLLOWS[objectType ?? ''];
    if (followers !== undefined) {
      setTimeout(() => this.mark(followers), FOLLOWED_MILLIS);
    }
    const volumes = VOLUMES.has(objectType ?? '') && objectId !== null ? [objectId, ...vvols] : vvols;
    if (names.includes('volumes') && volumes.length === 0) {
      this.mark(names);
      return;
    }
    this.mark(names.filter((name) => name !== 'volumes'));
    volumes.forEach((id) => this.markRow('volumes', id));
  }

  private mark(names: readonly string[]): void {
    names.forEach((name) => this.stale.add(name));
    this.timer ??= setTimeout(() => this.refresh(), GATHERED_MILLIS);
  }

  private markRow(list: string, id: string): void {
    const ids = this.ids.get(list) ?? new Set();
    this.ids.set(list, ids.add(id));
    this.mark([]);
  }

  private refresh(): void {
    this.timer = undefined;
    for (const [list, ids] of this.ids) {
      if (ids.size > MOST_PATCHED) {
        this.stale.add(list);
      } else if (!this.stale.has(list)) {
        this.refreshRows(list, ids);
      }
    }
    this.ids.clear();
    const names = new Set(this.stale);
    this.stale.clear();
    readAgain(this.queries, ({ queryKey }) => names.has(String(queryKey[0])));
  }

  /** The whole list gets the rows that have changed; what was read beside it is read again. */
  private refreshRows(list: string, ids: ReadonlySet<string>): void {
    const whole = this.queries.getQueryCache().find({ queryKey: [list], exact: true });
    if (whole !== undefined) {
      afterReading(whole, () => ids.forEach((id) => this.patch(list, id)));
    }
    readAgain(this.queries, ({ queryKey }) => queryKey[0] === list && queryKey.length > 1);
  }

  private patch(list: string, id: string): void {
    if (this.queries.getQueryData([list]) !== undefined) {
      patchRow(this.queries, [list], id, PATCHED[list]!(id)).catch(() =>
        readAgain(this.queries, ({ queryKey }) => queryKey[0] === list),
      );
    }
  }
}

/** Whether the message of an event is about new limits of a volume or a virtual machine. */
export function isOfLimits(message: string): boolean {
  return LIMITS_CHANGED.test(message);
}
