import { Button } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { countColumn, linkColumn, textColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { type Host, hostName } from '../host/host-table';
import { useVolumeNames } from '../protection/members';

type Bound = Output<'GET /bindings'>['items'][number];

const PAGE: PageCall<Bound> = (query) => call('GET /bindings', { query });
const HOSTS: PageCall<Host> = (query) => call('GET /hosts', { query });

/** Which host has bound which volume, and through which protocol endpoint. */
export function BindingTable() {
  const text = useText();
  const t = text.vcenters;
  // Nothing is sent about binds, which come by thousands: it is read at each opening.
  const [opened] = useState(() => Date.now());
  const bindings = useRows(['bindings', opened], PAGE);
  const hosts = useRows(['hosts'], HOSTS);
  const volumes = useVolumeNames();
  const names = useMemo(() => namesOf(hosts.data?.rows ?? [], volumes), [hosts.data, volumes]);
  const columns = useMemo(() => columnsOf(text, names), [text, names]);
  return (
    <ListTable
      label={t.bindings}
      query={bindings}
      columns={columns}
      idOf={idOf}
      nameOf={(row) => names.get(row.vvol) ?? row.vvol}
      textOf={(row) =>
        [row.host, names.get(row.host), row.vvol, names.get(row.vvol), row.secondaryId].join('\n')
      }
      usualSort="host"
      actions={
        <Button
          variant="secondary"
          isLoading={bindings.isFetching}
          onClick={() => void bindings.refetch()}
        >
          {t.readAgain}
        </Button>
      }
    />
  );
}

function idOf(row: Bound): string {
  return `${row.host} ${row.vvol} ${row.protocolEndpoint}`;
}

type Names = ReadonlyMap<string, string>;

/** The names of hosts and volumes by their ids. */
function namesOf(hosts: readonly Host[], volumes: Names): Names {
  return new Map([...volumes, ...hosts.map((host) => [host.id, hostName(host)] as const)]);
}

function columnsOf(text: Text, names: Names): Column<Bound>[] {
  const t = text.vcenters;
  return [
    textColumn('host', t.host, (row) => names.get(row.host) ?? row.host, {
      width: 11,
      grow: 1,
      always: true,
    }),
    linkColumn(t.volume, (row) => names.get(row.vvol) ?? row.vvol, (row) => `/volumes/${row.vvol}`),
    countColumn('endpoint', t.endpoint, (row) => row.protocolEndpoint),
    textColumn('secondary', t.secondary, (row) => row.secondaryId, { width: 11 }),
    countColumn('count', t.count, (row) => row.count),
    textColumn('leaving', t.leaving, (row) => (row.leaving === null ? '' : String(row.leaving))),
  ];
}
