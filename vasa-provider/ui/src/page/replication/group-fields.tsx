import { Alert } from '@patternfly/react-core';
import { useRows } from '../../api/lists';
import { DurationField } from '../../kit/duration-field';
import { ChoiceField, TextField } from '../../kit/field';
import type { Unit } from '../../text/duration';
import { useText } from '../../text/preferences';
import { MemberFields } from '../protection/group-fields';
import { TierFields } from '../protection/tier-fields';
import { areTiers, type GroupDraft, isInterval, isRpo, MOST_TIERS } from './group-draft';
import { KEYS, PEERS } from './replication';

const NONE = '';
const UNITS: readonly Unit[] = ['second', 'minute', 'hour'];
const RPO_UNITS: readonly Unit[] = ['second', 'minute', 'hour', 'day'];
const LONGEST_NAME = 80;

/** What each new line of kept replicas is at first. */
const USUAL: readonly (readonly [string, string])[] = [
  ['PT1M', 'PT1H'],
  ['PT1H', 'P1D'],
  ['P1D', 'P30D'],
];

interface Props {
  draft: GroupDraft;
  set: (change: Partial<GroupDraft>) => void;
  /** Whether the group is there already: then its peer stays. */
  isThere?: boolean;
}

/** The fields of a replication group, for a new one and for one that is changed. */
export function GroupFields({ draft, set, isThere = false }: Props) {
  const text = useText();
  const t = text.replication;
  const peers = useRows(KEYS.peers, PEERS).data?.rows;
  return (
    <>
      {peers?.length === 0 && <Alert isInline variant="info" component="p" title={t.noPeer} />}
      <TextField
        label={text.volumes.name}
        isRequired
        maxLength={LONGEST_NAME}
        value={draft.name}
        set={(name) => set({ name })}
      />
      {!isThere && (
        <ChoiceField
          label={t.peerName}
          isRequired
          value={draft.peer}
          set={(peer) => set({ peer })}
          choices={[
            ...(draft.peer === NONE ? [{ value: NONE, label: '' }] : []),
            ...(peers ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <DurationField
        label={t.every}
        isRequired
        units={UNITS}
        wrong={isInterval(draft.interval) ? undefined : t.intervalWrong}
        value={draft.interval}
        set={(interval) => set({ interval })}
      />
      <DurationField
        label={t.rpo}
        help={t.rpoHelp}
        units={RPO_UNITS}
        placeholder={t.rpoUsual}
        wrong={isRpo(draft.rpo, draft.interval) ? undefined : t.rpoWrong}
        value={draft.rpo}
        set={(rpo) => set({ rpo })}
      />
      <MemberFields draft={draft} set={set} />
      <TierFields
        tiers={draft.tiers}
        set={(tiers) => set({ tiers })}
        words={t.tiers}
        usual={USUAL}
        most={MOST_TIERS}
      />
      {!areTiers(draft.tiers) && (
        <Alert isInline isPlain variant="danger" component="p" title={t.tiers.wrong} />
      )}
      <TextField
        label={t.container}
        help={t.containerHelp}
        autoComplete="off"
        value={draft.container}
        set={(container) => set({ container })}
      />
    </>
  );
}
