import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';

type Session = Output<'GET /iscsi/sessions'>['items'][number];

const PAGE: PageCall<Session> = (query) => call('GET /iscsi/sessions', { query });
const MICROS = 1e-6;

/** The iSCSI sessions that are open: one for each path. */
export function SessionTable() {
  const text = useText();
  const format = useFormat();
  const sessions = useRows(['hosts', 'sessions'], PAGE);
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  return (
    <ListTable
      label={text.hosts.sessions}
      query={sessions}
      columns={columns}
      idOf={idOf}
      nameOf={nameOf}
      textOf={textOf}
      usualSort="initiator"
    />
  );
}

function idOf(row: Session): string {
  return [row.initiator, row.isid, row.target, row.address].join(' ');
}

function nameOf(row: Session): string {
  return row.initiator;
}

function textOf(row: Session): string {
  return [row.initiator, row.address, row.portal, row.target ?? ''].join('\n');
}

function columnsOf(text: Text, format: Format): Column<Session>[] {
  const t = text.hosts;
  return [
    textColumn('initiator', t.initiator, nameOf, { width: 14, grow: 3, always: true }),
    textColumn('address', t.address, (row) => row.address, { width: 11, always: true }),
    textColumn('portal', t.portal, (row) => row.portal, { width: 11 }),
    textColumn('target', t.target, (row) => row.target ?? t.discovery, { width: 12, grow: 2 }),
    {
      key: 'roundTrip',
      title: t.roundTrip,
      by: (row) => row.roundTrip ?? -1,
      cell: (row) => (row.roundTrip === null ? '' : format.seconds(row.roundTrip * MICROS)),
      width: 8,
      right: true,
    },
    timeColumn('since', t.since, (row) => row.since),
  ];
}
