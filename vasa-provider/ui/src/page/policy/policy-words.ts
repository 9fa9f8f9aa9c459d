import type { ComparedField } from '../../kit/edit-conflict';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import type { Policy } from './policy';
import { type TimeField, TIMES } from './policy-draft';

/** What a policy demands, in sentences. */
export function demandsOf(policy: Policy, text: Text, format: Format): string[] {
  const { words } = text.policies;
  const time = (iso: string | null, say: (time: string) => string) =>
    iso === null ? undefined : say(format.duration(iso));
  const sentences = [
    policy.spaceEfficiency === null ? undefined : words[policy.spaceEfficiency],
    time(policy.snapshotInterval, words.snapshots),
    time(policy.snapshotRetention, words.retention),
    policy.maxIops === null ? undefined : words.iops(format.number(policy.maxIops)),
    policy.maxBandwidth === null
      ? undefined
      : words.bandwidth(format.bytesPerSecond(policy.maxBandwidth)),
    time(policy.recoveryPointAge, words.age),
    time(policy.recoveryPointsKept, words.kept),
    time(policy.recoveryPointsLocked, words.locked),
  ];
  return sentences.filter((sentence) => sentence !== undefined);
}

/** The fields by which two editions of a policy are compared. */
export function comparedFields(
  text: Text,
  format: Format,
  containers: ReadonlyMap<string, string>,
): ComparedField<Policy>[] {
  const t = text.policies;
  const times = (Object.keys(TIMES) as TimeField[]).map((field) => ({
    label: t[field],
    shown: (policy: Policy) => {
      const iso = policy[field];
      return iso === null ? t.nothing : format.duration(iso);
    },
  }));
  return [
    { label: text.volumes.name, shown: ({ name }) => name },
    { label: text.forms.edit.description, shown: ({ description }) => description },
    { label: t.space, shown: ({ spaceEfficiency }) => t.spaces[spaceEfficiency ?? 'any'] },
    ...times,
    {
      label: t.maxIops,
      shown: ({ maxIops }) => (maxIops === null ? t.nothing : format.number(maxIops)),
    },
    {
      label: t.maxBandwidth,
      shown: ({ maxBandwidth }) =>
        maxBandwidth === null ? t.nothing : format.bytesPerSecond(maxBandwidth),
    },
    { label: t.offered, shown: (policy) => offeredIn(policy, text, containers) },
  ];
}

/** The names of the containers that a policy is offered in. */
export function offeredIn(
  { containers }: Policy,
  text: Text,
  names: ReadonlyMap<string, string>,
): string {
  return containers === null
    ? text.policies.everywhere
    : containers.map((id) => names.get(id) ?? id).join(', ');
}
