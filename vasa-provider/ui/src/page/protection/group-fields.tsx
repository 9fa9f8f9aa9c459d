import { Alert } from '@patternfly/react-core';
import { useMemo } from 'react';
import { useRows } from '../../api/lists';
import { useRefusal } from '../../kit/action-button';
import { ChoiceField, TextField } from '../../kit/field';
import { Picker } from '../../kit/picker';
import { useText } from '../../text/preferences';
import { nameOf } from '../volumes-page';
import type { GroupDraft } from './group-draft';
import { useMachines, VOLUMES } from './members';
import { KEYS, POLICIES } from './protection';

const NONE = '';

interface Props {
  draft: GroupDraft;
  set: (change: Partial<GroupDraft>) => void;
}

/** The fields of a protection group, for a new one and for one that is changed. */
export function GroupFields({ draft, set }: Props) {
  const text = useText();
  const t = text.protection;
  const policies = useRows(KEYS.policies, POLICIES).data?.rows;
  return (
    <>
      {policies?.length === 0 && <Alert isInline variant="info" component="p" title={t.noPolicy} />}
      <TextField
        label={text.volumes.name}
        isRequired
        maxLength={80}
        value={draft.name}
        set={(name) => set({ name })}
      />
      <ChoiceField
        label={t.policy}
        isRequired
        value={draft.policy}
        set={(policy) => set({ policy })}
        choices={[
          ...(draft.policy === NONE ? [{ value: NONE, label: '' }] : []),
          ...(policies ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <MemberFields draft={draft} set={set} />
    </>
  );
}

interface MemberProps {
  draft: Pick<GroupDraft, 'vms' | 'volumes'>;
  set: (change: Partial<Pick<GroupDraft, 'vms' | 'volumes'>>) => void;
}

/** The choice of members: virtual machines and volumes. */
export function MemberFields({ draft, set }: MemberProps) {
  const t = useText().protection;
  const refusal = useRefusal('GET /vms');
  const isEmpty = draft.vms.length + draft.volumes.length === 0;
  return (
    <>
      {refusal === undefined && <MachinePicker draft={draft} set={set} />}
      <VolumePicker draft={draft} set={set} />
      {isEmpty && <p className="c-quiet">{t.membersNeeded}</p>}
    </>
  );
}

function MachinePicker({ draft, set }: MemberProps) {
  const text = useText();
  const machines = useMachines();
  const choices = useMemo(
    () => (machines.data?.rows ?? []).map(({ id, name }) => ({ id, name: name ?? id })),
    [machines.data],
  );
  return (
    <Picker
      label={text.protection.vms}
      choices={choices}
      chosen={draft.vms}
      set={(vms) => set({ vms })}
    />
  );
}

function VolumePicker({ draft, set }: MemberProps) {
  const text = useText();
  const volumes = useRows(['volumes'], VOLUMES);
  const choices = useMemo(
    () => (volumes.data?.rows ?? []).map((row) => ({ id: row.id, name: nameOf(row) })),
    [volumes.data],
  );
  return (
    <Picker
      label={text.protection.volumes}
      choices={choices}
      chosen={draft.volumes}
      set={(chosen) => set({ volumes: chosen })}
    />
  );
}
