import type { components } from '../../generated/api';
import { isoOf, secondsOf, type Span, spanOf } from '../../text/duration';
import { newTier, tierBody, type TierDraft, whole } from '../protection/protection-draft';
import type { Group } from './replication';

type Body = components['schemas']['NewReplicationGroup'];
type Change = components['schemas']['ReplicationGroupChange'];

const LEAST_SECONDS = 5;
const MOST_INTERVAL_SECONDS = 86_400;
const MOST_RPO_SECONDS = 7 * 86_400;
const USUAL_RPO = 'PT0S';
export const MOST_TIERS = 8;

/** A replication group as it is typed. */
export interface GroupDraft {
  name: string;
  peer: string;
  interval: Span;
  /** How old the newest replica may be; empty for the usual time. */
  rpo: Span;
  vms: readonly string[];
  volumes: readonly string[];
  tiers: readonly TierDraft[];
  container: string;
}

/** The draft of a group that is there; without one, one with usual values. */
export function groupDraft(group?: Group): GroupDraft {
  const members = group?.members ?? [];
  return {
    name: group?.name ?? '',
    peer: group?.peer ?? '',
    interval: spanOf(group?.interval ?? 'PT15S', 'second'),
    rpo: spanOf(group === undefined || group.usualRpo ? null : group.rpo, 'minute'),
    vms: members.flatMap(({ vm }) => (vm === null ? [] : [vm])),
    volumes: members.flatMap(({ volume }) => (volume === null ? [] : [volume])),
    tiers: (group?.keep ?? []).map(({ every, keepFor }) => newTier(every, keepFor)),
    container: group?.container ?? '',
  };
}

/** Whether a time is one that a group can have from cycle to cycle. */
export function isInterval(span: Span): boolean {
  const seconds = secondsIn(span);
  return seconds !== undefined && seconds >= LEAST_SECONDS && seconds <= MOST_INTERVAL_SECONDS;
}

/** Whether an RPO is none, which is the usual one, or no shorter than the interval and 7 days at most. */
export function isRpo(rpo: Span, interval: Span): boolean {
  const seconds = secondsIn(rpo);
  return (
    isoOf(rpo) === null ||
    (seconds !== undefined &&
      seconds >= (secondsIn(interval) ?? LEAST_SECONDS) &&
      seconds <= MOST_RPO_SECONDS)
  );
}

/** What is sent of a draft; absent while it is not whole. */
export function groupBody(draft: GroupDraft): Body | undefined {
  const { name, peer, interval, rpo, vms, volumes, tiers } = draft;
  const members = [...vms.map((vm) => ({ vm })), ...volumes.map((volume) => ({ volume }))];
  const keep = whole(tiers.map(tierBody));
  const container = draft.container.trim();
  return name.trim() === '' ||
    peer === '' ||
    members.length === 0 ||
    !isInterval(interval) ||
    !isRpo(rpo, interval) ||
    keep === undefined ||
    !areTiers(tiers)
    ? undefined
    : {
        name,
        peer,
        interval: isoOf(interval) ?? '',
        ...given(isoOf(rpo)),
        ...(keep.length === 0 ? {} : { keep }),
        members,
        ...(container === '' ? {} : { container }),
      };
}

/** The fields of a draft that differ from what was read; absent if there are none, or one is wrong. */
export function groupChange(draft: GroupDraft, group: Group): Change | undefined {
  const wanted = groupBody(draft);
  const now = groupBody(groupDraft(group));
  if (wanted === undefined) {
    return undefined;
  }
  const { name, interval, rpo = USUAL_RPO, members, keep = [], container = '' } = wanted;
  const body: Change = {
    ...(name === group.name ? {} : { name }),
    ...(interval === now?.interval ? {} : { interval }),
    ...(rpo === (now?.rpo ?? USUAL_RPO) ? {} : { rpo }),
    ...(isSame(keep, now?.keep ?? []) ? {} : { keep }),
    ...(isSame(members, now?.members) ? {} : { members }),
    ...(container === (now?.container ?? '') ? {} : { container }),
  };
  return Object.keys(body).length === 0 ? undefined : body;
}

/** Whether each tier keeps its replicas at least until the next one. */
export function areTiers(tiers: readonly TierDraft[]): boolean {
  return tiers.every(isTier);
}

function isTier({ every, keepFor }: TierDraft): boolean {
  const step = secondsIn(every);
  const kept = secondsIn(keepFor);
  return step !== undefined && kept !== undefined && step >= LEAST_SECONDS && kept >= step;
}

function given(rpo: string | null | undefined): { rpo?: string } {
  return typeof rpo === 'string' ? { rpo } : {};
}

function secondsIn(span: Span): number | undefined {
  const iso = isoOf(span);
  return typeof iso === 'string' ? secondsOf(iso) : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
