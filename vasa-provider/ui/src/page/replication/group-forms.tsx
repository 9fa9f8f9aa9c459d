import { useState } from 'react';
import { call, type Call } from '../../api/call';
import { send, type Tagged } from '../../api/send';
import { Ask } from '../../kit/ask';
import type { ComparedField } from '../../kit/edit-conflict';
import { EditForm } from '../../kit/edit-form';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { tierWords } from '../protection/rule-words';
import { groupBody, groupChange, type GroupDraft, groupDraft } from './group-draft';
import { GroupFields } from './group-fields';
import { type Group, useReadAgain } from './replication';

/** The form for a new replication group. */
export function CreateGroup({ close }: { close: () => void }) {
  const text = useText();
  const readAgain = useReadAgain();
  const [draft, setDraft] = useState<GroupDraft>(() => groupDraft());
  const body = groupBody(draft);
  const wanted = body && call('POST /replication/groups', { body });
  return (
    <Ask
      title={text.replication.create}
      wide
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => wanted && send(wanted)}
      done={() => {
        toast('success', text.forms.edit.created(draft.name));
        readAgain();
        close();
      }}
      close={close}
    >
      <GroupFields draft={draft} set={(change) => setDraft({ ...draft, ...change })} />
    </Ask>
  );
}

/** The form that changes a replication group, at its source. */
export function EditGroup({ group, close }: { group: Group; close: () => void }) {
  const text = useText();
  const format = useFormat();
  const readAgain = useReadAgain();
  const { id, name } = group;
  return (
    <EditForm
      title={text.replication.edit(name)}
      wide
      read={call('GET /replication/groups/{id}', { path: { id } })}
      draftOf={groupDraft}
      change={changeOf}
      compared={comparedFields(text, format)}
      saved={() => {
        toast('success', text.forms.edit.changed_(name));
        readAgain();
      }}
      close={close}
    >
      {(draft: GroupDraft, set: (change: Partial<GroupDraft>) => void) => (
        <GroupFields draft={draft} set={set} isThere />
      )}
    </EditForm>
  );
}

function changeOf(draft: GroupDraft, base: Tagged<Group>): Call | undefined {
  const body = groupChange(draft, base.value);
  return (
    body &&
    call('PATCH /replication/groups/{id}', {
      path: { id: base.value.id },
      body,
      ifMatch: base.tag ?? undefined,
    })
  );
}

function comparedFields(text: Text, format: Format): ComparedField<Group>[] {
  const t = text.replication;
  return [
    { label: text.volumes.name, shown: ({ name }) => name },
    { label: t.interval, shown: ({ interval }) => format.duration(interval) },
    {
      label: t.members,
      shown: ({ members }) => members.map(({ vm, volume }) => vm ?? volume ?? '').join(', '),
    },
    {
      label: t.keep,
      shown: ({ keep }) => keep.map((tier) => tierWords(tier, text, format)).join('; '),
    },
    { label: t.container, shown: ({ container }) => container ?? t.firstContainer },
  ];
}
