import { ChoiceField } from '../../kit/field';
import { useFormat, useText } from '../../text/preferences';
import type { Replica } from './replication';

/** What stands for the newest replica. */
export const NEWEST = '';

interface Props {
  /** The newest first. */
  replicas: readonly Replica[];
  value: string;
  set: (replica: string) => void;
}

/** The choice of a replica. The newest one is that at the time of the action. */
export function ReplicaChoice({ replicas, value, set }: Props) {
  const t = useText().replication;
  const format = useFormat();
  const newest = replicas[0];
  return (
    <ChoiceField
      label={t.replica}
      value={value}
      set={set}
      choices={[
        {
          value: NEWEST,
          label: newest === undefined ? t.noReplicas : t.newestOne(format.time(newest.taken)),
        },
        ...replicas.map(({ id, number, taken, name }) => ({
          value: id,
          label: t.oneOf(number, format.time(taken), name),
        })),
      ]}
    />
  );
}
