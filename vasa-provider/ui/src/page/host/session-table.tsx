import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { type Column, DataTable } from '../../kit/data-table';
import { Time } from '../../kit/figure';
import { ProblemAlert } from '../../kit/problem-alert';
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
    <>
      {sessions.isError && (
        <ProblemAlert error={sessions.error} retry={() => void sessions.refetch()} />
      )}
      <DataTable
        label={text.hosts.sessions}
        list={sessions.data}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => row.initiator}
        textOf={(row) => [row.initiator, row.address, row.portal, row.target ?? ''].join('\n')}
        usualSort="initiator"
      />
    </>
  );
}

function idOf(row: Session): string {
  return [row.initiator, row.isid, row.target, row.address].join(' ');
}

function columnsOf(text: Text, format: Format): Column<Session>[] {
  const t = text.hosts;
  return [
    {
      key: 'initiator',
      title: t.initiator,
      by: (row) => row.initiator,
      cell: (row) => <span title={row.initiator}>{row.initiator}</span>,
      width: 14,
      grow: 3,
      always: true,
    },
    {
      key: 'address',
      title: t.address,
      by: (row) => row.address,
      cell: (row) => row.address,
      width: 11,
      always: true,
    },
    {
      key: 'portal',
      title: t.portal,
      by: (row) => row.portal,
      cell: (row) => row.portal,
      width: 11,
    },
    {
      key: 'target',
      title: t.target,
      by: (row) => row.target ?? '',
      cell: (row) => <span title={row.target ?? ''}>{row.target ?? t.discovery}</span>,
      width: 12,
      grow: 2,
    },
    {
      key: 'roundTrip',
      title: t.roundTrip,
      by: (row) => row.roundTrip ?? -1,
      cell: (row) => (row.roundTrip === null ? '' : format.seconds(row.roundTrip * MICROS)),
      width: 8,
      right: true,
    },
    {
      key: 'since',
      title: t.since,
      by: (row) => row.since,
      cell: (row) => <Time at={row.since} />,
      width: 13,
    },
  ];
}
