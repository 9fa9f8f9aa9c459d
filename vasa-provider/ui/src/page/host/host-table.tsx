import { Label } from '@patternfly/react-core';
import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { type Column, DataTable } from '../../kit/data-table';
import { Time } from '../../kit/figure';
import { ProblemAlert } from '../../kit/problem-alert';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';

export type Host = Output<'GET /hosts'>['items'][number];

const PAGE: PageCall<Host> = (query) => call('GET /hosts', { query });

export function HostTable() {
  const text = useText();
  const hosts = useRows(['hosts'], PAGE);
  const columns = useMemo(() => columnsOf(text), [text]);
  return (
    <>
      {hosts.isError && <ProblemAlert error={hosts.error} retry={() => void hosts.refetch()} />}
      <DataTable
        label={text.hosts.hosts}
        list={hosts.data}
        columns={columns}
        idOf={(row) => row.id}
        nameOf={hostName}
        textOf={(row) => [row.name ?? '', row.id, ...row.initiators].join('\n')}
        usualSort="name"
      />
    </>
  );
}

/** The name, or what stands for one of a host of vCenter. */
export function hostName(host: Host): string {
  return host.name ?? host.initiators[0] ?? host.id;
}

function columnsOf(text: Text): Column<Host>[] {
  const t = text.hosts;
  const count = (key: string, title: string, by: (row: Host) => number): Column<Host> => ({
    key,
    title,
    by,
    cell: by,
    width: 7,
    right: true,
  });
  return [
    {
      key: 'name',
      title: text.volumes.name,
      by: hostName,
      cell: (row) => <span title={hostName(row)}>{hostName(row)}</span>,
      width: 12,
      grow: 2,
      always: true,
    },
    {
      key: 'managedBy',
      title: t.managedBy,
      by: (row) => row.managedBy,
      cell: (row) => t.managers[row.managedBy],
      width: 9,
    },
    {
      key: 'initiators',
      title: t.initiators,
      cell: (row) => <span title={row.initiators.join('\n')}>{row.initiators.join(', ')}</span>,
      width: 14,
      grow: 3,
    },
    {
      key: 'connected',
      title: t.connected,
      by: (row) => row.connections.length,
      cell: (row) =>
        row.connections.length === 0 ? (
          <Label isCompact>{t.notConnected}</Label>
        ) : (
          <Label isCompact status="success">
            {t.paths(row.connections.length)}
          </Label>
        ),
      width: 9,
      always: true,
    },
    count('exports', t.exports, (row) => row.exports),
    count('bindings', t.bindings, (row) => row.bindings),
    {
      key: 'lastSeen',
      title: t.lastSeen,
      by: (row) => row.lastSeen ?? '',
      cell: (row) => (row.lastSeen === null ? '' : <Time at={row.lastSeen} />),
      width: 13,
    },
  ];
}
