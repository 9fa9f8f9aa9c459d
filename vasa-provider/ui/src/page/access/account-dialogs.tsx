import { useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { EditForm } from '../../kit/edit-form';
import { TextField } from '../../kit/field';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import type { UserAccount } from './account-table';
import { isPassword } from './own-account';
import { namesOf, RoleFields, useContainerChoices } from './role-fields';
import { isSameRole, roleBody, type RoleDraft, rolesUpTo } from './roles';

const ALL_ROLES = rolesUpTo('admin');

interface Props {
  account: UserAccount;
  close: () => void;
}

/** The form that makes an account. */
export function NewAccount({ close }: { close: () => void }) {
  const text = useText();
  const t = text.access;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [draft, setDraft] = useState<RoleDraft>({ role: 'operator', containers: [] });
  const role = roleBody(draft);
  const wanted =
    name.trim() !== '' && isPassword(password) && role !== undefined
      ? call('POST /accounts', { body: { name: name.trim(), password, ...role } })
      : undefined;
  return (
    <Ask
      title={t.account.create}
      wanted={wanted}
      waits={wanted === undefined}
      run={() => send(wanted!)}
      done={() => {
        toast('success', t.account.createdToast(name.trim()));
        close();
      }}
      close={close}
    >
      <TextField
        label={t.name}
        help={t.account.nameHelp}
        isRequired
        maxLength={64}
        autoComplete="off"
        value={name}
        set={setName}
      />
      <TextField
        label={t.account.password}
        help={t.account.passwordHelp}
        isRequired
        type="password"
        autoComplete="new-password"
        value={password}
        set={setPassword}
      />
      <RoleFields
        draft={draft}
        set={(change) => setDraft((before) => ({ ...before, ...change }))}
        roles={ALL_ROLES}
      />
    </Ask>
  );
}

/** The form that changes what an account may do. */
export function EditAccount({ account, close }: Props) {
  const text = useText();
  const t = text.access;
  const containers = useContainerChoices();
  const path = { id: account.id };
  return (
    <EditForm
      title={t.account.changeTitle(account.name)}
      read={call('GET /accounts/{id}', { path })}
      draftOf={draftOf}
      change={(draft: RoleDraft, base) => {
        const body = isSameRole(draft, base.value) ? undefined : roleBody(draft);
        return body && call('PATCH /accounts/{id}', { path, body, ifMatch: base.tag ?? undefined });
      }}
      compared={[
        { label: t.role, shown: (one) => one.role },
        { label: t.containers, shown: (one) => namesOf(one.containers, containers) },
        {
          label: t.account.enabled,
          shown: (one) => (one.enabled ? text.common.yes : text.common.no),
        },
      ]}
      saved={() => toast('success', t.changed(account.name))}
      close={close}
    >
      {(draft: RoleDraft, set: (change: Partial<RoleDraft>) => void) => (
        <RoleFields draft={draft} set={set} roles={ALL_ROLES} />
      )}
    </EditForm>
  );
}

function draftOf({ role, containers }: UserAccount): RoleDraft {
  return { role, containers: containers ?? [] };
}

/** The form that sets the password of an account. */
export function SetPassword({ account, close }: Props) {
  const text = useText();
  const t = text.access.account;
  const [password, setPassword] = useState('');
  const path = { id: account.id };
  const wanted = isPassword(password)
    ? call('PATCH /accounts/{id}', { path, body: { password } })
    : undefined;
  return (
    <Ask
      title={t.setPasswordTitle(account.name)}
      action={t.setPassword}
      wanted={wanted}
      waits={wanted === undefined}
      run={() => send(wanted!)}
      done={() => {
        toast('success', t.passwordSetToast(account.name));
        close();
      }}
      close={close}
    >
      <p>{t.setPasswordText}</p>
      <TextField
        label={t.password}
        help={t.passwordHelp}
        isRequired
        type="password"
        autoComplete="new-password"
        value={password}
        set={setPassword}
      />
    </Ask>
  );
}

/** The question before an account is deleted. */
export function DeleteAccount({ account, close }: Props) {
  const text = useText();
  const t = text.access.account;
  const wanted = call('DELETE /accounts/{id}', { path: { id: account.id } });
  return (
    <Ask
      title={t.deleteTitle(account.name)}
      action={text.common.delete}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.deleted(account.name));
        close();
      }}
      close={close}
    >
      <p>{t.deleteText}</p>
    </Ask>
  );
}
