import type { components } from '../../generated/api';
import { isoOf, type Span, spanOf } from '../../text/duration';
import type { ProtectionPolicy } from './protection';
import { ruleBody, type RuleDraft, ruleDraft } from './rule-draft';

type Body = components['schemas']['NewProtectionPolicy'];
type TierBody = components['schemas']['ContinuousTierRequest'];

export const MOST_TIERS = 4;

/** A tier of continuous points as it is typed. */
export interface TierDraft {
  /** Of this form alone. */
  key: string;
  every: Span;
  keepFor: Span;
}

/** A protection policy as it is typed. */
export interface ProtectionDraft {
  name: string;
  description: string;
  rules: readonly RuleDraft[];
  tiers: readonly TierDraft[];
  alert: boolean;
  /** How long the point of a suspicion is locked; nothing: none is taken. */
  watchLock: Span;
}

/** The draft of a policy that is there; without one, an empty one. */
export function protectionDraft(policy?: ProtectionPolicy): ProtectionDraft {
  return {
    name: policy?.name ?? '',
    description: policy?.description ?? '',
    rules: (policy?.rules ?? []).map(ruleDraft),
    tiers: (policy?.continuous ?? []).map(({ every, keepFor }) => newTier(every, keepFor)),
    alert: policy?.watch.alert ?? true,
    watchLock: spanOf(policy?.watch.lockSnapshotFor),
  };
}

export function newTier(every: string | null, keepFor: string | null): TierDraft {
  return { key: crypto.randomUUID(), every: spanOf(every, 'second'), keepFor: spanOf(keepFor, 'hour') };
}

/** What is sent of a draft; absent while it is not whole. */
export function protectionBody(draft: ProtectionDraft): Body | undefined {
  const rules = whole(draft.rules.map(ruleBody));
  const continuous = whole(draft.tiers.map(tierBody));
  const watchLock = isoOf(draft.watchLock);
  const names = new Set(draft.rules.map(({ name }) => name));
  if (
    draft.name.trim() === '' ||
    rules === undefined ||
    continuous === undefined ||
    watchLock === undefined ||
    rules.length + continuous.length === 0 ||
    names.size < rules.length
  ) {
    return undefined;
  }
  return {
    name: draft.name,
    ...(draft.description === '' ? {} : { description: draft.description }),
    rules,
    ...(continuous.length === 0 ? {} : { continuous }),
    ...watchOf(draft.alert, watchLock),
  };
}

/** What is sent of a tier; absent while it is not whole. */
export function tierBody(tier: TierDraft): TierBody | undefined {
  const every = isoOf(tier.every);
  const keepFor = isoOf(tier.keepFor);
  return typeof every === 'string' && typeof keepFor === 'string' ? { every, keepFor } : undefined;
}

/** An alert alone is the usual, and is not said. */
function watchOf(alert: boolean, lockSnapshotFor: string | null): Pick<Body, 'watch'> {
  return alert && lockSnapshotFor === null
    ? {}
    : { watch: { alert, ...(lockSnapshotFor === null ? {} : { lockSnapshotFor }) } };
}

/** All of the parts; absent if one of them is. */
export function whole<T>(parts: readonly (T | undefined)[]): T[] | undefined {
  const found = parts.filter((part) => part !== undefined);
  return found.length === parts.length ? found : undefined;
}
