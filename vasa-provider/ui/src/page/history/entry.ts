import type { components } from '../../generated/api';

export type AlertView = components['schemas']['AlertView'];
export type Job = components['schemas']['Job'];
export type Occurrence = components['schemas']['Occurrence'];
export type AuditedCall = components['schemas']['AuditedCall'];

export const KINDS = ['alert', 'job', 'event', 'audit'] as const;

export type Kind = (typeof KINDS)[number];

/** Something that happened: an entry of one of the four lists. */
export type Entry =
  | { kind: 'alert'; at: string; alert: AlertView }
  | { kind: 'job'; at: string; job: Job }
  | { kind: 'event'; at: string; event: Occurrence }
  | { kind: 'audit'; at: string; audited: AuditedCall };

/** What it has for one's own among all entries. */
export function keyOf(entry: Entry): string {
  switch (entry.kind) {
    case 'alert':
      return `alert:${entry.alert.id}`;
    case 'job':
      return `job:${entry.job.id}`;
    case 'event':
      return `event:${entry.event.id}`;
    case 'audit':
      return `audit:${entry.audited.seq}`;
  }
}

/** Who did it; absent where nobody did, or nobody knows. */
export function actorOf(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'event':
      return entry.event.actor?.name;
    case 'audit':
      return entry.audited.actor.account;
    default:
      return undefined;
  }
}

/** The ids of what it is about. */
export function objectsOf(entry: Entry): readonly string[] {
  switch (entry.kind) {
    case 'alert':
      return [entry.alert.about.id];
    case 'job':
      return entry.job.vvol === null ? [] : [entry.job.vvol];
    case 'event': {
      const { objectId, vvols } = entry.event;
      return objectId === null ? vvols : [objectId, ...vvols];
    }
    case 'audit':
      return entry.audited.object === null ? [] : [entry.audited.object];
  }
}

/** The call that it belongs to; absent for what belongs to none. */
export function traceOf(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'event':
      return entry.event.traceId ?? undefined;
    case 'audit':
      return entry.audited.traceId ?? undefined;
    default:
      return undefined;
  }
}

/** The sentence of it, in English. */
export function sentenceOf(entry: Entry): string {
  switch (entry.kind) {
    case 'alert':
      return entry.alert.cause;
    case 'job': {
      const { name, state, error } = entry.job;
      return error === null ? `${name}: ${state}` : `${name}: ${state}. ${error.detail}`;
    }
    case 'event':
      return entry.event.sentence;
    case 'audit': {
      const { action, object, outcome, code } = entry.audited;
      const what = object === null ? action : `${action} ${object}`;
      return `${what}: ${outcome}${code === null ? '' : ` (${code})`}`;
    }
  }
}
