import { useMemo, useState } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { nameColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import type { Choice } from '../../kit/picker';
import { useSelection } from '../../kit/selection';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { DeleteAccount, EditAccount, NewAccount, SetPassword } from './account-dialogs';
import { useAccountLock } from './account-lock';
import { namesOf, useContainerChoices } from './role-fields';

export type UserAccount = Output<'GET /accounts'>['items'][number];

const PAGE: PageCall<UserAccount> = (query) => call('GET /accounts', { query });

interface Question {
  what: 'change' | 'password' | 'delete';
  account: UserAccount;
}

/** Accounts of people: what each may do, and whether it can log in. */
export function AccountTable() {
  const text = useText();
  const t = text.access;
  const accounts = useRows(['accounts'], PAGE);
  const containers = useContainerChoices();
  const selection = useSelection(accounts.data, idOf);
  const [creating, setCreating] = useState(false);
  const [asked, ask] = useState<Question | undefined>();
  const columns = useMemo(() => columnsOf(text, containers), [text, containers]);
  const { only } = selection;
  return (
    <>
      <ListTable
        label={t.account.title}
        query={accounts}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => row.name}
        textOf={(row) => [row.name, row.id, row.role].join('\n')}
        usualSort="name"
        selection={selection}
        actions={
          <>
            <ActionButton operation="POST /accounts" onClick={() => setCreating(true)}>
              {t.account.create}
            </ActionButton>
            {only !== undefined && <AccountActions account={only} ask={(what) => ask({ what, account: only })} />}
          </>
        }
      />
      {creating && <NewAccount close={() => setCreating(false)} />}
      {asked !== undefined && <AccountDialog {...asked} close={() => ask(undefined)} />}
    </>
  );
}

function AccountActions(props: {
  account: UserAccount;
  ask: (what: Question['what']) => void;
}) {
  const { account, ask } = props;
  const text = useText();
  const t = text.access;
  const lock = useAccountLock(account);
  return (
    <>
      <ActionButton
        operation="PATCH /accounts/{id}"
        variant="secondary"
        onClick={() => ask('change')}
      >
        {t.change}
      </ActionButton>
      <ActionButton
        operation="PATCH /accounts/{id}"
        variant="secondary"
        onClick={() => ask('password')}
      >
        {t.account.setPassword}
      </ActionButton>
      <ActionButton
        operation="PATCH /accounts/{id}"
        variant="secondary"
        onClick={() => void lock(!account.enabled)}
      >
        {account.enabled ? t.account.lock : t.account.unlock}
      </ActionButton>
      <ActionButton
        operation="DELETE /accounts/{id}"
        variant="danger"
        onClick={() => ask('delete')}
      >
        {text.common.delete}
      </ActionButton>
    </>
  );
}

function AccountDialog({ what, account, close }: Question & { close: () => void }) {
  switch (what) {
    case 'change':
      return <EditAccount account={account} close={close} />;
    case 'password':
      return <SetPassword account={account} close={close} />;
    case 'delete':
      return <DeleteAccount account={account} close={close} />;
  }
}

function idOf(row: UserAccount): string {
  return row.id;
}

function columnsOf(text: Text, containers: readonly Choice[]): Column<UserAccount>[] {
  const t = text.access;
  return [
    nameColumn(t.name, (row) => row.name),
    textColumn('role', t.role, (row) => row.role, { always: true }),
    textColumn('containers', t.containers, (row) => namesOf(row.containers, containers), {
      width: 8,
      grow: 1,
    }),
    {
      key: 'enabled',
      title: t.account.enabled,
      by: (row) => Number(row.enabled),
      cell: (row) =>
        row.enabled ? (
          text.common.yes
        ) : (
          <Mark status="warning">
            {text.common.no}
          </Mark>
        ),
      width: 11,
    },
    timeColumn('lastLogin', t.account.lastLogin, (row) => row.lastLogin),
    timeColumn('passwordSet', t.account.passwordSet, (row) => row.passwordSet),
    timeColumn('created', t.created, (row) => row.created),
  ];
}
