import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { countColumn, nameColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';

type Registered = Output<'GET /registrations'>['items'][number];

const PAGE: PageCall<Registered> = (query) => call('GET /registrations', { query });

/** vCenters that have added the provider. */
export function RegistrationTable() {
  const text = useText();
  const registrations = useRows(['registrations'], PAGE);
  const columns = useMemo(() => columnsOf(text), [text]);
  return (
    <ListTable
      label={text.vcenters.registrations}
      query={registrations}
      columns={columns}
      idOf={idOf}
      nameOf={(row) => row.address}
      textOf={(row) => [row.address, row.id, ...row.vcenters, ...row.roots].join('\n')}
      usualSort="-registered"
    />
  );
}

function idOf(row: Registered): string {
  return row.id;
}

function columnsOf(text: Text): Column<Registered>[] {
  const t = text.vcenters;
  return [
    nameColumn(t.address, (row) => row.address, { width: 9, grow: 1 }),
    timeColumn('registered', t.registered, (row) => row.registered),
    textColumn('vcenters', t.ids, (row) => row.vcenters.join(', '), { width: 12, grow: 2 }),
    textColumn('roots', t.roots, (row) => row.roots.join('; '), { width: 12, grow: 2 }),
    countColumn('hosts', t.hosts, (row) => row.hosts, { always: true }),
    textColumn('id', t.id, idOf, { width: 12, grow: 1 }),
  ];
}
