import type { components } from '../../generated/api';
import { isoOf, type Span, spanOf, type Unit } from '../../text/duration';
import { exactSize, parseSize } from '../../text/format';
import type { Policy } from './policy';

type Body = components['schemas']['NewPolicy'];
export type SpaceChoice = 'any' | 'thin' | 'thick';

/** The lengths of time that a policy demands, each with its usual unit. */
export const TIMES = {
  snapshotInterval: 'minute',
  snapshotRetention: 'day',
  recoveryPointAge: 'hour',
  recoveryPointsKept: 'day',
  recoveryPointsLocked: 'day',
} as const satisfies Record<string, Unit>;

export type TimeField = keyof typeof TIMES;

/** A storage policy as it is typed. */
export interface PolicyDraft extends Record<TimeField, Span> {
  name: string;
  description: string;
  spaceEfficiency: SpaceChoice;
  maxIops: string;
  maxBandwidth: string;
  /** None: it is offered in all. */
  containers: readonly string[];
}

const FEWEST_IOPS = 10;
const MOST_IOPS = 10_000_000;

/** The draft of a policy that is there; without one, an empty one. */
export function policyDraft(policy?: Policy): PolicyDraft {
  return {
    name: policy?.name ?? '',
    description: policy?.description ?? '',
    spaceEfficiency: policy?.spaceEfficiency ?? 'any',
    maxIops: numberText(policy?.maxIops, String),
    maxBandwidth: numberText(policy?.maxBandwidth, exactSize),
    containers: policy?.containers ?? [],
    snapshotInterval: spanOf(policy?.snapshotInterval, TIMES.snapshotInterval),
    snapshotRetention: spanOf(policy?.snapshotRetention, TIMES.snapshotRetention),
    recoveryPointAge: spanOf(policy?.recoveryPointAge, TIMES.recoveryPointAge),
    recoveryPointsKept: spanOf(policy?.recoveryPointsKept, TIMES.recoveryPointsKept),
    recoveryPointsLocked: spanOf(policy?.recoveryPointsLocked, TIMES.recoveryPointsLocked),
  };
}

function numberText(value: number | null | undefined, text: (value: number) => string): string {
  return value === null || value === undefined ? '' : text(value);
}

/** The I/Os a second that were typed: null for none, absent if the text is no such number. */
export function iopsOf(text: string): number | null | undefined {
  if (text.trim() === '') {
    return null;
  }
  const iops = /^\d{1,8}$/.test(text.trim()) ? Number(text) : 0;
  return iops >= FEWEST_IOPS && iops <= MOST_IOPS ? iops : undefined;
}

/** The bytes a second that were typed: null for none, absent if the text is no size. */
export function bandwidthOf(text: string): number | null | undefined {
  return text.trim() === '' ? null : parseSize(text);
}

/** What is sent of a draft, without what it does not set; absent while it is not whole. */
export function policyBody(draft: PolicyDraft): Body | undefined {
  const maxIops = iopsOf(draft.maxIops);
  const maxBandwidth = bandwidthOf(draft.maxBandwidth);
  const times = timesOf(draft);
  const { name, description, spaceEfficiency, containers } = draft;
  if (
    name.trim() === '' ||
    maxIops === undefined ||
    maxBandwidth === undefined ||
    times === undefined
  ) {
    return undefined;
  }
  return {
    name,
    ...(description === '' ? {} : { description }),
    ...(spaceEfficiency === 'any' ? {} : { spaceEfficiency }),
    ...times,
    ...(maxIops === null ? {} : { maxIops }),
    ...(maxBandwidth === null ? {} : { maxBandwidth }),
    ...(containers.length === 0 ? {} : { containers: [...containers] }),
  };
}

function timesOf(draft: PolicyDraft): Partial<Record<TimeField, string>> | undefined {
  const times: Partial<Record<TimeField, string>> = {};
  for (const field of Object.keys(TIMES) as TimeField[]) {
    const iso = isoOf(draft[field]);
    if (iso === undefined) {
      return undefined;
    }
    if (iso !== null) {
      times[field] = iso;
    }
  }
  return times;
}
