import { useMemo, useState } from 'react';
import { call } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { nameColumn, textColumn } from '../../kit/columns';
import { type Column, DataTable } from '../../kit/data-table';
import { TextField } from '../../kit/field';
import { Mark } from '../../kit/mark';
import { ProblemAlert } from '../../kit/problem-alert';
import { useSelection } from '../../kit/selection';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { type Host, hostName } from '../host/host-table';
import { isSecret } from '../host/wizard-plan';

/** An initiator of a host, and whether it has to prove a secret. */
interface Initiator {
  name: string;
  host: string;
  secret: boolean;
}

interface Question {
  what: 'set' | 'clear';
  name: string;
}

const PAGE: PageCall<Host> = (query) => call('GET /hosts', { query });

/** Initiators of hosts, and their CHAP secrets. */
export function ChapTable() {
  const text = useText();
  const t = text.access.chap;
  const hosts = useRows(['hosts'], PAGE);
  const list = useMemo(() => {
    const rows = hosts.data?.rows.flatMap(initiatorsOf);
    return rows && { rows, total: rows.length, complete: hosts.data?.complete === true };
  }, [hosts.data]);
  const selection = useSelection(list, idOf);
  const [asked, ask] = useState<Question | undefined>();
  const columns = useMemo(() => columnsOf(text), [text]);
  const { only } = selection;
  const close = () => ask(undefined);
  return (
    <>
      {hosts.isError && <ProblemAlert error={hosts.error} retry={() => void hosts.refetch()} />}
      <DataTable
        label={t.title}
        list={list}
        columns={columns}
        idOf={idOf}
        nameOf={idOf}
        textOf={(row) => `${row.name}\n${row.host}`}
        usualSort="name"
        selection={selection}
        actions={
          only !== undefined && (
            <>
              <ActionButton
                operation="PUT /initiators/{name}/chap"
                onClick={() => ask({ what: 'set', name: only.name })}
              >
                {t.set}
              </ActionButton>
              <ActionButton
                operation="DELETE /initiators/{name}/chap"
                variant="danger"
                reason={only.secret ? undefined : t.hasNone}
                onClick={() => ask({ what: 'clear', name: only.name })}
              >
                {t.clear}
              </ActionButton>
            </>
          )
        }
      />
      {asked?.what === 'set' && <SetSecret name={asked.name} close={close} />}
      {asked?.what === 'clear' && <ClearSecret name={asked.name} close={close} />}
    </>
  );
}

function initiatorsOf(host: Host): Initiator[] {
  return host.initiators.map((name) => ({
    name,
    host: hostName(host),
    secret: host.chap.includes(name),
  }));
}

function idOf(row: Initiator): string {
  return row.name;
}

function columnsOf(text: Text): Column<Initiator>[] {
  const t = text.access.chap;
  return [
    nameColumn(t.initiator, idOf, { grow: 3 }),
    textColumn('host', t.host, (row) => row.host, { grow: 1 }),
    {
      key: 'secret',
      title: t.secret,
      by: (row) => Number(row.secret),
      cell: (row) =>
        row.secret ? (
          <Mark status="success">
            {t.has}
          </Mark>
        ) : (
          t.none
        ),
      width: 8,
      always: true,
    },
  ];
}

function SetSecret({ name, close }: { name: string; close: () => void }) {
  const text = useText();
  const t = text.access.chap;
  const [secret, setSecret] = useState('');
  const [mutual, setMutual] = useState('');
  const isSame = mutual !== '' && mutual === secret;
  const isWhole = isSecret(secret) && (mutual === '' || isSecret(mutual)) && !isSame;
  const wanted = isWhole
    ? call('PUT /initiators/{name}/chap', {
        path: { name },
        body: { secret, mutualSecret: mutual === '' ? null : mutual },
      })
    : undefined;
  return (
    <Ask
      title={t.setTitle(name)}
      action={t.set}
      wanted={wanted}
      waits={wanted === undefined}
      run={() => send(wanted!)}
      done={() => {
        toast('success', t.isSet(name));
        close();
      }}
      close={close}
    >
      <TextField
        label={t.secret}
        help={t.help}
        isRequired
        type="password"
        autoComplete="new-password"
        value={secret}
        set={setSecret}
      />
      <TextField
        label={t.mutual}
        help={t.mutualHelp}
        wrong={isSame ? t.same : undefined}
        type="password"
        autoComplete="new-password"
        value={mutual}
        set={setMutual}
      />
    </Ask>
  );
}

function ClearSecret({ name, close }: { name: string; close: () => void }) {
  const text = useText();
  const t = text.access.chap;
  const wanted = call('DELETE /initiators/{name}/chap', { path: { name } });
  return (
    <Ask
      title={t.clearTitle(name)}
      action={t.clear}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.cleared(name));
        close();
      }}
      close={close}
    >
      <p>{t.clearText}</p>
    </Ask>
  );
}
