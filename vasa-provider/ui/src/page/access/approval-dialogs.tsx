import { useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { DurationField } from '../../kit/duration-field';
import { ChoiceField } from '../../kit/field';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import type { Approval } from './approval-table';
import { type Action, type ApprovalDraft, approvalValue } from './approval-value';
import { useContainerChoices } from './role-fields';

const NEW: ApprovalDraft = {
  action: 'raise-max-lock',
  container: '',
  time: { amount: '', unit: 'day' },
};

/** The form that asks another account for a change. */
export function AskForApproval({ close }: { close: () => void }) {
  const text = useText();
  const t = text.access.approval;
  const containers = useContainerChoices();
  const [draft, setDraft] = useState(NEW);
  const value = approvalValue(draft);
  const wanted =
    value === undefined ? undefined : call('POST /approvals', { body: { action: draft.action, value } });
  const set = (change: Partial<ApprovalDraft>) => setDraft((before) => ({ ...before, ...change }));
  const isLock = draft.action === 'raise-max-lock';
  return (
    <Ask
      title={t.ask}
      wanted={wanted}
      waits={wanted === undefined}
      run={() => send(wanted!)}
      done={() => {
        toast('success', t.askedToast);
        close();
      }}
      close={close}
    >
      <p>{t.text}</p>
      <ChoiceField
        label={t.action}
        value={draft.action}
        set={(action) => set({ action: action as Action })}
        choices={[
          { value: 'raise-max-lock', label: t.actions['raise-max-lock'] },
          { value: 'lower-bin-time', label: t.actions['lower-bin-time'] },
        ]}
      />
      {!isLock && (
        <ChoiceField
          label={t.container}
          isRequired
          value={draft.container}
          set={(container) => set({ container })}
          choices={[
            { value: '', label: '–' },
            ...containers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <DurationField
        label={isLock ? t.longest : t.binTime}
        help={isLock ? undefined : t.binTimeHelp}
        isRequired={isLock}
        value={draft.time}
        set={(time) => set({ time })}
      />
    </Ask>
  );
}

/** The question before a change is approved or refused. */
export function EndApproval(props: {
  how: 'approve' | 'refuse';
  approval: Approval;
  /** The change in words. */
  says: string;
  close: () => void;
}) {
  const { how, approval, close } = props;
  const text = useText();
  const t = text.access.approval;
  const path = { id: approval.id };
  const approves = how === 'approve';
  const wanted = approves
    ? call('POST /approvals/{id}/approve', { path })
    : call('POST /approvals/{id}/refuse', { path });
  return (
    <Ask
      title={approves ? t.approveTitle : t.refuseTitle}
      action={approves ? t.approve : t.refuse}
      danger={!approves}
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', approves ? t.approved : t.refused);
        close();
      }}
      close={close}
    >
      <p>{props.says}</p>
      <p>
        {t.askedBy}: {approval.askedBy}
      </p>
    </Ask>
  );
}
