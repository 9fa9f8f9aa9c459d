import { useState } from 'react';
import { call, type Call } from '../../api/call';
import { send, type Tagged } from '../../api/send';
import { Ask } from '../../kit/ask';
import type { ComparedField } from '../../kit/edit-conflict';
import { EditForm } from '../../kit/edit-form';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { useReadAgain } from './replication';
import { type Field, runbookBody, runbookChange, runbookDraft, type RunbookDraft } from './runbook-draft';
import { RunbookFields } from './runbook-fields';
import { type Names, type Runbook, useNames } from './runbooks';

const COMPARED: readonly Field[] = [
  'name',
  'steps',
  'exports',
  'exportTests',
  'schedule',
  'holdFor',
  'oldest',
];

/** The form for a new runbook. */
export function CreateRunbook({ close }: { close: () => void }) {
  const text = useText();
  const readAgain = useReadAgain();
  const [draft, setDraft] = useState<RunbookDraft>(() => runbookDraft());
  const body = runbookBody(draft);
  const wanted = body && call('POST /replication/runbooks', { body });
  return (
    <Ask
      title={text.runbooks.create}
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
      <RunbookFields draft={draft} set={(change) => setDraft({ ...draft, ...change })} />
    </Ask>
  );
}

/** The form that changes a runbook. */
export function EditRunbook({ runbook, close }: { runbook: Runbook; close: () => void }) {
  const text = useText();
  const readAgain = useReadAgain();
  const names = useNames();
  const { id, name } = runbook;
  return (
    <EditForm
      title={text.runbooks.edit(name)}
      wide
      read={call('GET /replication/runbooks/{id}', { path: { id } })}
      draftOf={(found: Runbook) => runbookDraft(found, names)}
      change={(draft: RunbookDraft, base: Tagged<Runbook>) => changeOf(draft, base, names)}
      compared={comparedFields(text, names)}
      saved={() => {
        toast('success', text.forms.edit.changed_(name));
        readAgain();
      }}
      close={close}
    >
      {(draft: RunbookDraft, set: (change: Partial<RunbookDraft>) => void) => (
        <RunbookFields draft={draft} set={set} />
      )}
    </EditForm>
  );
}

function changeOf(draft: RunbookDraft, base: Tagged<Runbook>, names: Names): Call | undefined {
  const body = runbookChange(draft, runbookDraft(base.value, names));
  return (
    body &&
    call('PATCH /replication/runbooks/{id}', {
      path: { id: base.value.id },
      body,
      ifMatch: base.tag ?? undefined,
    })
  );
}

function comparedFields(text: Text, names: Names): ComparedField<Runbook>[] {
  return COMPARED.map((field) => ({
    label: text.runbooks.fields[field],
    shown: (runbook) => runbookDraft(runbook, names)[field].replaceAll('\n', '; '),
  }));
}
