import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { countColumn, nameColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';

export type Host = Output<'GET /hosts'>['items'][number];

const PAGE: PageCall<Host> = (query) => call('GET /hosts', { query });

/** Hosts of vCenter and those of administrators, with their paths. */
export function HostTable() {
  const text = useText();
  const hosts = useRows(['hosts'], PAGE);
  const columns = useMemo(() => columnsOf(text), [text]);
  return (
    <ListTable
      label={text.hosts.hosts}
      query={hosts}
      columns={columns}
      idOf={idOf}
      nameOf={hostName}
      textOf={textOf}
      usualSort="name"
    />
  );
}

function idOf(host: Host): string {
  return host.id;
}

/** The name, or what stands for one of a host of vCenter. */
export function hostName(host: Host): string {
  return host.name ?? host.initiators[0] ?? host.id;
}

function textOf(host: Host): string {
  return [host.name ?? '', host.id, ...host.initiators].join('\n');
}

function columnsOf(text: Text): Column<Host>[] {
  const t = text.hosts;
  return [
    nameColumn(text.volumes.name, hostName),
    textColumn('managedBy', t.managedBy, (row) => t.managers[row.managedBy]),
    textColumn('initiators', t.initiators, (row) => row.initiators.join(', '), {
      width: 14,
      grow: 3,
    }),
    {
      key: 'connected',
      title: t.connected,
      by: (row) => row.connections.length,
      cell: (row) =>
        row.connections.length === 0 ? (
          <Mark>{t.notConnected}</Mark>
        ) : (
          <Mark status="success">
            {t.paths(row.connections.length)}
          </Mark>
        ),
      width: 9,
      always: true,
    },
    countColumn('exports', t.exports, (row) => row.exports),
    countColumn('bindings', t.bindings, (row) => row.bindings),
    timeColumn('lastSeen', t.lastSeen, (row) => row.lastSeen),
  ];
}
