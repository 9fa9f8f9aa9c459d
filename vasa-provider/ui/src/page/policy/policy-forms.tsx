import { Content } from '@patternfly/react-core';
import { useState } from 'react';
import { call, type Call } from '../../api/call';
import { send, type Tagged } from '../../api/send';
import { Ask } from '../../kit/ask';
import { EditForm } from '../../kit/edit-form';
import { toast } from '../../kit/toasts';
import { useFormat, useText } from '../../text/preferences';
import type { Policy } from './policy';
import { policyBody, type PolicyDraft, policyDraft } from './policy-draft';
import { PolicyFields } from './policy-fields';
import { PolicyPreview } from './policy-preview';
import { comparedFields } from './policy-words';

/** The form for a new storage policy. */
export function CreatePolicy({ close }: { close: () => void }) {
  const text = useText();
  const [draft, setDraft] = useState(() => policyDraft());
  const body = policyBody(draft);
  const wanted = body && call('POST /policies', { body });
  return (
    <Ask
      title={text.policies.create}
      wide
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => wanted && send(wanted)}
      done={() => {
        toast('success', text.forms.edit.created(draft.name));
        close();
      }}
      close={close}
    >
      <PolicyFields draft={draft} set={(change) => setDraft({ ...draft, ...change })} />
    </Ask>
  );
}

interface EditProps {
  policy: Policy;
  /** The names of containers by their ids. */
  containers: ReadonlyMap<string, string>;
  close: () => void;
}

/** The form that replaces a storage policy. */
export function EditPolicy({ policy, containers, close }: EditProps) {
  const text = useText();
  const format = useFormat();
  const { id, name } = policy;
  return (
    <EditForm
      title={text.policies.editTitle(name)}
      wide
      read={call('GET /policies/{id}', { path: { id } })}
      draftOf={policyDraft}
      change={changeOf}
      compared={comparedFields(text, format, containers)}
      saved={() => toast('success', text.forms.edit.changed_(name))}
      close={close}
      preview={(draft) => <PolicyPreview policy={policy} draft={draft} />}
    >
      {(draft: PolicyDraft, set: (change: Partial<PolicyDraft>) => void) => (
        <PolicyFields draft={draft} set={set} />
      )}
    </EditForm>
  );
}

/** The replacement that a draft is of what was read; absent while it is not whole, or the same. */
function changeOf(draft: PolicyDraft, base: Tagged<Policy>): Call | undefined {
  const body = policyBody(draft);
  const now = policyBody(policyDraft(base.value));
  return body === undefined || JSON.stringify(body) === JSON.stringify(now)
    ? undefined
    : call('PUT /policies/{id}', {
        path: { id: base.value.id },
        body: { ...body, generation: base.value.generation },
        ifMatch: base.tag ?? undefined,
      });
}

interface DeleteProps {
  policy: Policy;
  /** How many volumes have it. */
  used: number;
  /** Called once it is deleted. */
  gone: () => void;
  close: () => void;
}

/** The question before a storage policy is deleted. */
export function DeletePolicy({ policy, used, gone, close }: DeleteProps) {
  const text = useText();
  const t = text.policies;
  const { id, name } = policy;
  const wanted = call('DELETE /policies/{id}', { path: { id } });
  return (
    <Ask
      title={text.forms.edit.deleteTitle(name)}
      action={text.common.delete}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', text.forms.edit.deleted(name));
        gone();
      }}
      close={close}
    >
      <Content component="p">
        {used > 0 && `${t.deleteUsed(used)} `}
        {t.deleteText}
      </Content>
    </Ask>
  );
}
