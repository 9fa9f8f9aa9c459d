import { useMemo, useState } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import { useSelection } from '../../kit/selection';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { useOwn } from './own';

type BrowserSession = Output<'GET /sessions'>['items'][number];

const PAGE: PageCall<BrowserSession> = (query) => call('GET /sessions', { query });

/** Sessions of browsers that are open. */
export function BrowserSessionTable() {
  const text = useText();
  const t = text.access.session;
  const own = useOwn()?.id;
  const sessions = useRows(['sessions'], PAGE);
  const selection = useSelection(sessions.data, idOf);
  const [asked, ask] = useState<BrowserSession | undefined>();
  const columns = useMemo(() => columnsOf(text, own), [text, own]);
  const { only } = selection;
  return (
    <>
      <ListTable
        label={t.title}
        query={sessions}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => row.name}
        textOf={(row) => [row.name, row.id, row.source, row.address].join('\n')}
        usualSort="-used"
        selection={selection}
        actions={
          only !== undefined && (
            <ActionButton
              operation="DELETE /sessions/{id}"
              variant="danger"
              onClick={() => ask(only)}
            >
              {t.end}
            </ActionButton>
          )
        }
      />
      {asked !== undefined && (
        <EndSession
          session={asked}
          isOwn={asked.id === own}
          close={() => ask(undefined)}
        />
      )}
    </>
  );
}

function EndSession(props: { session: BrowserSession; isOwn: boolean; close: () => void }) {
  const { session, isOwn, close } = props;
  const text = useText();
  const t = text.access.session;
  const wanted = call('DELETE /sessions/{id}', { path: { id: session.id } });
  return (
    <Ask
      title={t.endTitle(session.name)}
      action={t.end}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.ended(session.name));
        close();
      }}
      close={close}
    >
      <p>{isOwn ? t.endOwn : t.endText}</p>
    </Ask>
  );
}

function idOf(row: BrowserSession): string {
  return row.id;
}

function columnsOf(text: Text, own: string | undefined): Column<BrowserSession>[] {
  const t = text.access.session;
  return [
    {
      key: 'name',
      title: text.access.name,
      by: (row) => row.name,
      cell: (row) => (
        <span title={row.name}>
          {row.name} {row.id === own && <Mark>{t.thisOne}</Mark>}
        </span>
      ),
      width: 12,
      grow: 2,
      always: true,
    },
    textColumn('source', text.access.own.source, (row) => row.source),
    textColumn('address', t.address, (row) => row.address, { width: 11, always: true }),
    timeColumn('opened', t.opened, (row) => row.opened),
    timeColumn('used', text.access.used, (row) => row.used),
    timeColumn('ends', text.access.own.atLatest, (row) => row.endsAtLatest),
  ];
}
