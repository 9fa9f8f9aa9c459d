import { Content } from '@patternfly/react-core';
import { useState } from 'react';
import { call, type Call } from '../../api/call';
import { send, type Tagged } from '../../api/send';
import { Ask } from '../../kit/ask';
import type { ComparedField } from '../../kit/edit-conflict';
import { EditForm } from '../../kit/edit-form';
import { ChoiceField, TextField } from '../../kit/field';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { groupBody, type GroupDraft, groupDraft } from './group-draft';
import { GroupFields } from './group-fields';
import type { Group } from './protection';

/** What becomes of the points of a group that is deleted. */
type PointsThen = 'keep' | 'delete' | 'purge';

const POINTS_THEN: readonly PointsThen[] = ['keep', 'delete', 'purge'];

interface CreateProps {
  /** What is filled in from the start. */
  first?: Partial<GroupDraft>;
  close: () => void;
}

/** The form for a new protection group. */
export function CreateGroup({ first, close }: CreateProps) {
  const text = useText();
  const [draft, setDraft] = useState<GroupDraft>(() => ({ ...groupDraft(), ...first }));
  const body = groupBody(draft);
  const wanted = body && call('POST /protection-groups', { body });
  return (
    <Ask
      title={text.protection.createGroup}
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => wanted && send(wanted)}
      done={() => {
        toast('success', text.forms.edit.created(draft.name));
        close();
      }}
      close={close}
    >
      <GroupFields draft={draft} set={(change) => setDraft({ ...draft, ...change })} />
    </Ask>
  );
}

interface Props {
  group: Group;
  close: () => void;
}

/** The form that changes a protection group. */
export function EditGroup({ group, close, policies }: Props & { policies: ReadonlyMap<string, string> }) {
  const text = useText();
  const { id, name } = group;
  return (
    <EditForm
      title={text.protection.editGroup(name)}
      read={call('GET /protection-groups/{id}', { path: { id } })}
      draftOf={groupDraft}
      change={changeOf}
      compared={comparedFields(text, policies)}
      saved={() => toast('success', text.forms.edit.changed_(name))}
      close={close}
    >
      {(draft: GroupDraft, set: (change: Partial<GroupDraft>) => void) => (
        <GroupFields draft={draft} set={set} />
      )}
    </EditForm>
  );
}

/** The fields that differ from what was read; absent if there are none, or one is wrong. */
function changeOf(draft: GroupDraft, base: Tagged<Group>): Call | undefined {
  const wanted = groupBody(draft);
  const now = groupBody(groupDraft(base.value));
  if (wanted === undefined) {
    return undefined;
  }
  const { name, policy, members } = wanted;
  const body = {
    ...(name === now?.name ? {} : { name }),
    ...(policy === now?.policy ? {} : { policy }),
    ...(JSON.stringify(members) === JSON.stringify(now?.members) ? {} : { members }),
  };
  return Object.keys(body).length === 0
    ? undefined
    : call('PATCH /protection-groups/{id}', {
        path: { id: base.value.id },
        body,
        ifMatch: base.tag ?? undefined,
      });
}

function comparedFields(text: Text, policies: ReadonlyMap<string, string>): ComparedField<Group>[] {
  const t = text.protection;
  return [
    { label: text.volumes.name, shown: ({ name }) => name },
    { label: t.policy, shown: ({ policy }) => policies.get(policy) ?? policy },
    {
      label: t.members,
      shown: ({ members }) => members.map(({ vm, volume }) => vm ?? volume ?? '').join(', '),
    },
  ];
}

/** The form that takes a recovery point now. */
export function TakePoint({ group, close }: Props) {
  const text = useText();
  const t = text.protection;
  const [name, setName] = useState('');
  const wanted =
    name.trim() === ''
      ? undefined
      : call('POST /protection-groups/{id}/points', { path: { id: group.id }, body: { name } });
  return (
    <Ask
      title={t.takeTitle(group.name)}
      action={t.take}
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => wanted && send(wanted)}
      done={() => {
        toast('success', t.taken(name));
        close();
      }}
      close={close}
    >
      <TextField label={t.pointName} isRequired maxLength={80} value={name} set={setName} />
      <Content component="p">{t.takeText}</Content>
    </Ask>
  );
}

/** The question before the protection of a group ends. */
export function DeleteGroup({ group, close }: Props) {
  const text = useText();
  const t = text.protection;
  const [points, setPoints] = useState<PointsThen>('keep');
  const { id, name } = group;
  const wanted = call('DELETE /protection-groups/{id}', { path: { id }, query: { points } });
  return (
    <Ask
      title={t.deleteGroup(name)}
      action={text.common.delete}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.ended(name));
        close();
      }}
      close={close}
    >
      <ChoiceField
        label={t.pointsThen}
        value={points}
        set={(chosen) => setPoints(chosen as PointsThen)}
        choices={POINTS_THEN.map((value) => ({ value, label: t.pointsThens[value] }))}
      />
    </Ask>
  );
}
