import { useMemo, useState } from 'react';
import { call } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { nameColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import type { Choice } from '../../kit/picker';
import { useSelection } from '../../kit/selection';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { useOwn } from './own';
import { namesOf, useContainerChoices } from './role-fields';
import { DeleteToken, Issued, type IssuedToken, NewToken, RotateToken, type Token } from './token-dialogs';

const PAGE: PageCall<Token> = (query) => call('GET /tokens', { query });

interface Question {
  what: 'rotate' | 'delete';
  token: Token;
}

/** Tokens of the API: all of them for an administrator, those of its own for another account. */
export function TokenTable() {
  const text = useText();
  const t = text.access.token;
  const tokens = useRows(['tokens'], PAGE);
  const containers = useContainerChoices();
  const selection = useSelection(tokens.data, idOf);
  const [creating, setCreating] = useState(false);
  const [asked, ask] = useState<Question | undefined>();
  const [issued, setIssued] = useState<IssuedToken | undefined>();
  const own = useOwn();
  const columns = useMemo(() => columnsOf(text, containers), [text, containers]);
  const { only } = selection;
  const close = () => ask(undefined);
  return (
    <>
      <ListTable
        label={t.title}
        query={tokens}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => row.name}
        textOf={(row) => [row.name, row.id, row.role, row.beginning ?? ''].join('\n')}
        usualSort="name"
        selection={selection}
        actions={
          <>
            <ActionButton operation="POST /tokens" onClick={() => setCreating(true)}>
              {t.create}
            </ActionButton>
            {only !== undefined && (
              <>
                <ActionButton
                  operation="POST /tokens/{id}/rotate"
                  variant="secondary"
                  onClick={() => ask({ what: 'rotate', token: only })}
                >
                  {t.rotate}
                </ActionButton>
                <ActionButton
                  operation="DELETE /tokens/{id}"
                  variant="danger"
                  onClick={() => ask({ what: 'delete', token: only })}
                >
                  {text.common.delete}
                </ActionButton>
              </>
            )}
          </>
        }
      />
      {creating && own !== undefined && (
        <NewToken own={own.role} issued={setIssued} close={() => setCreating(false)} />
      )}
      {asked?.what === 'rotate' && (
        <RotateToken token={asked.token} issued={setIssued} close={close} />
      )}
      {asked?.what === 'delete' && <DeleteToken token={asked.token} close={close} />}
      {issued !== undefined && <Issued token={issued} close={() => setIssued(undefined)} />}
    </>
  );
}

function idOf(row: Token): string {
  return row.id;
}

function columnsOf(text: Text, containers: readonly Choice[]): Column<Token>[] {
  const t = text.access;
  return [
    nameColumn(t.name, (row) => row.name),
    textColumn('role', t.role, (row) => row.role, { always: true }),
    textColumn('containers', t.containers, (row) => namesOf(row.containers, containers), {
      width: 8,
      grow: 1,
    }),
    textColumn('beginning', t.token.beginning, (row) => row.beginning ?? ''),
    timeColumn('expires', t.expires, (row) => row.expires),
    timeColumn('used', t.used, (row) => row.used),
    timeColumn('former', t.token.former, (row) => row.formerUntil),
    timeColumn('created', t.created, (row) => row.created),
    textColumn('owner', t.token.owner, (row) => row.owner ?? t.token.ofNobody),
  ];
}
