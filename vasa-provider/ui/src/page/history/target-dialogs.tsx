import { useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import type { ComparedField } from '../../kit/edit-conflict';
import { EditForm } from '../../kit/edit-form';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import {
  type AlertTarget,
  NEW_TARGET,
  newTarget,
  targetChange,
  targetDraft,
  type TargetDraft,
} from './target-draft';
import { TargetFields } from './target-fields';

/** The form that adds a target. */
export function NewTarget({ close }: { close: () => void }) {
  const text = useText();
  const t = text.history.target;
  const [draft, setDraft] = useState(NEW_TARGET);
  const body = newTarget(draft);
  const wanted = body && call('POST /alert-targets', { body });
  return (
    <Ask
      title={t.create}
      wide
      wanted={wanted}
      waits={wanted === undefined}
      run={() => send(wanted!)}
      done={() => {
        toast('success', t.created(draft.name));
        close();
      }}
      close={close}
    >
      <TargetFields
        draft={draft}
        set={(change) => setDraft((before) => ({ ...before, ...change }))}
        isThere={false}
      />
    </Ask>
  );
}

/** The form that changes a target. */
export function EditTarget({ target, close }: { target: AlertTarget; close: () => void }) {
  const text = useText();
  const t = text.history.target;
  const path = { id: target.id };
  return (
    <EditForm
      title={t.changeTitle(target.name)}
      wide
      read={call('GET /alert-targets/{id}', { path })}
      draftOf={targetDraft}
      change={(draft: TargetDraft, base) => {
        const body = targetChange(draft, base.value);
        const ifMatch = base.tag ?? undefined;
        return body && call('PATCH /alert-targets/{id}', { path, body, ifMatch });
      }}
      compared={comparedFields(text)}
      saved={() => toast('success', t.changed(target.name))}
      close={close}
    >
      {(draft: TargetDraft, set: (change: Partial<TargetDraft>) => void) => (
        <TargetFields draft={draft} set={set} isThere />
      )}
    </EditForm>
  );
}

/** The question before a target is deleted. */
export function DeleteTarget({ target, close }: { target: AlertTarget; close: () => void }) {
  const text = useText();
  const t = text.history.target;
  const wanted = call('DELETE /alert-targets/{id}', { path: { id: target.id } });
  return (
    <Ask
      title={t.deleteTitle(target.name)}
      action={text.common.delete}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.deleted(target.name));
        close();
      }}
      close={close}
    >
      <p>{t.deleteText}</p>
    </Ask>
  );
}

function comparedFields(text: Text): ComparedField<AlertTarget>[] {
  const t = text.history.target;
  return [
    { label: t.name, shown: (target) => target.name },
    { label: t.enabled, shown: (target) => (target.enabled ? text.common.yes : text.common.no) },
    { label: t.severity, shown: (target) => text.history.severities[target.severity] },
    { label: t.server, shown: (target) => target.server },
    { label: t.user, shown: (target) => target.user ?? '' },
    { label: t.from, shown: (target) => target.from ?? '' },
    { label: t.to, shown: (target) => (target.to ?? []).join(', ') },
  ];
}
