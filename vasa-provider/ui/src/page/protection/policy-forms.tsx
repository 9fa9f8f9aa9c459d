import { Content } from '@patternfly/react-core';
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
import type { ProtectionPolicy } from './protection';
import { protectionBody, type ProtectionDraft, protectionDraft } from './protection-draft';
import { ProtectionFields } from './protection-fields';
import { ProtectionPolicyPreview } from './protection-preview';
import { ruleWords, tierWords, watchWords } from './rule-words';

/** The form for a new protection policy. */
export function CreateProtectionPolicy({ close }: { close: () => void }) {
  const text = useText();
  const [draft, setDraft] = useState(() => protectionDraft());
  const body = protectionBody(draft);
  const wanted = body && call('POST /protection-policies', { body });
  return (
    <Ask
      title={text.protection.createPolicy}
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
      <ProtectionFields draft={draft} set={(change) => setDraft({ ...draft, ...change })} />
    </Ask>
  );
}

interface Props {
  policy: ProtectionPolicy;
  close: () => void;
}

/** The form that replaces a protection policy. */
export function EditProtectionPolicy({ policy, close }: Props) {
  const text = useText();
  const format = useFormat();
  const { id, name } = policy;
  return (
    <EditForm
      title={text.protection.editPolicy(name)}
      wide
      read={call('GET /protection-policies/{id}', { path: { id } })}
      draftOf={protectionDraft}
      change={changeOf}
      compared={comparedFields(text, format)}
      saved={() => toast('success', text.forms.edit.changed_(name))}
      close={close}
      preview={(draft) => <ProtectionPolicyPreview policy={policy} draft={draft} />}
    >
      {(draft: ProtectionDraft, set: (change: Partial<ProtectionDraft>) => void) => (
        <ProtectionFields draft={draft} set={set} />
      )}
    </EditForm>
  );
}

/** The replacement that a draft is of what was read; absent while it is not whole, or the same. */
function changeOf(draft: ProtectionDraft, base: Tagged<ProtectionPolicy>): Call | undefined {
  const body = protectionBody(draft);
  const now = protectionBody(protectionDraft(base.value));
  return body === undefined || JSON.stringify(body) === JSON.stringify(now)
    ? undefined
    : call('PUT /protection-policies/{id}', {
        path: { id: base.value.id },
        body: { ...body, generation: base.value.generation },
        ifMatch: base.tag ?? undefined,
      });
}

function comparedFields(text: Text, format: Format): ComparedField<ProtectionPolicy>[] {
  const t = text.protection;
  return [
    { label: text.volumes.name, shown: ({ name }) => name },
    { label: text.forms.edit.description, shown: ({ description }) => description },
    {
      label: t.rules,
      shown: ({ rules }) =>
        rules.map((rule) => `${rule.name}: ${ruleWords(rule, text, format)}`).join('; '),
    },
    {
      label: t.tiers,
      shown: ({ continuous }) => continuous.map((tier) => tierWords(tier, text, format)).join('; '),
    },
    { label: t.watch, shown: ({ watch }) => watchWords(watch, text, format) },
  ];
}

/** The question before a protection policy is deleted. */
export function DeleteProtectionPolicy({ policy, gone, close }: Props & { gone: () => void }) {
  const text = useText();
  const { id, name } = policy;
  const wanted = call('DELETE /protection-policies/{id}', { path: { id } });
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
      <Content component="p">{text.protection.deletePolicyText}</Content>
    </Ask>
  );
}
