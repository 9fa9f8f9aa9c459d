import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import {
  bytesColumn,
  countColumn,
  linkOrNameColumn,
  nameColumn,
  textColumn,
} from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { type Host, hostName } from '../host/host-table';
import { FallBackReasons } from './fall-back-reasons';
import { countOf, type OffloadKind } from './offload-kinds';

type VolumeRow = Output<'GET /offloads'>['items'][number];
type VmRow = Output<'GET /offloads/vms'>['items'][number];
type HostRow = Output<'GET /offloads/hosts'>['items'][number];

const VOLUMES: PageCall<VolumeRow> = (query) => call('GET /offloads', { query });
const VMS: PageCall<VmRow> = (query) => call('GET /offloads/vms', { query });
const HOSTS: PageCall<HostRow> = (query) => call('GET /offloads/hosts', { query });
const KNOWN_HOSTS: PageCall<Host> = (query) => call('GET /hosts', { query });
const USUAL_SORT = '-spared';

interface Props {
  /** The kind that is counted; absent: all together. */
  kind: OffloadKind | undefined;
}

/** What each initiator has left to the array, by volume. */
export function VolumeOffloads({ kind }: Props) {
  const text = useText();
  const format = useFormat();
  const rows = useRows(['offloads', 'volumes'], VOLUMES);
  const hosts = useHostNames();
  const t = text.performance.offloads;
  const columns = useMemo(
    (): Column<VolumeRow>[] => [
      linkOrNameColumn<VolumeRow>(text.volumes.name, volumeName, (row) => `/volumes/${row.vvol}`),
      textColumn<VolumeRow>('vm', text.volumes.vm, (row) => row.vmName ?? row.vm ?? ''),
      textColumn<VolumeRow>('host', text.performance.kinds.host, (row) => nameOr(hosts, row.host)),
      textColumn<VolumeRow>('initiator', t.initiator, (row) => row.initiator, { grow: 1 }),
      ...countColumns<VolumeRow>(kind, text, format, volumeName),
    ],
    [text, format, t, hosts, kind],
  );
  return (
    <ListTable
      label={t.by.volume}
      query={rows}
      columns={columns}
      idOf={(row) => `${row.vvol}/${row.initiator}`}
      nameOf={volumeName}
      textOf={(row) =>
        [row.name, row.vvol, row.vm, row.vmName, nameOr(hosts, row.host), row.initiator].join('\n')
      }
      usualSort={USUAL_SORT}
    />
  );
}

/** What was left to the array, by virtual machine. */
export function VmOffloads({ kind }: Props) {
  const text = useText();
  const format = useFormat();
  const rows = useRows(['offloads', 'vms'], VMS);
  const t = text.performance.offloads;
  const nameOf = useMemo(() => (row: VmRow) => row.name ?? row.vm ?? t.noVm, [t]);
  const columns = useMemo(
    (): Column<VmRow>[] => [
      linkOrNameColumn<VmRow>(text.volumes.name, nameOf, (row) => row.vm && `/vms/${encodeURIComponent(row.vm)}`),
      ...countColumns<VmRow>(kind, text, format, nameOf),
    ],
    [text, format, nameOf, kind],
  );
  return (
    <ListTable
      label={t.by.vm}
      query={rows}
      columns={columns}
      idOf={(row) => row.vm ?? ''}
      nameOf={nameOf}
      textOf={(row) => `${nameOf(row)}\n${row.vm ?? ''}`}
      usualSort={USUAL_SORT}
    />
  );
}

/** What hosts have left to the array. */
export function HostOffloads({ kind }: Props) {
  const text = useText();
  const format = useFormat();
  const rows = useRows(['offloads', 'hosts'], HOSTS);
  const hosts = useHostNames();
  const t = text.performance.offloads;
  const nameOf = useMemo(() => (row: HostRow) => nameOr(hosts, row.host) || t.noHost, [hosts, t]);
  const columns = useMemo(
    (): Column<HostRow>[] => [
      nameColumn<HostRow>(text.volumes.name, nameOf),
      textColumn<HostRow>('initiators', t.initiators, (row) => row.initiators.join(', '), { grow: 2 }),
      ...countColumns<HostRow>(kind, text, format, nameOf),
    ],
    [text, format, t, nameOf, kind],
  );
  return (
    <ListTable
      label={t.by.host}
      query={rows}
      columns={columns}
      idOf={(row) => row.host ?? ''}
      nameOf={nameOf}
      textOf={(row) => [nameOf(row), row.host ?? '', ...row.initiators].join('\n')}
      usualSort={USUAL_SORT}
    />
  );
}

function volumeName(row: VolumeRow): string {
  return row.name ?? row.vvol;
}

/** The names of hosts by their ids: the counts have ids alone. */
function useHostNames(): ReadonlyMap<string, string> {
  const { data } = useRows(['hosts'], KNOWN_HOSTS);
  return useMemo(() => new Map(data?.rows.map((host) => [host.id, hostName(host)] as const)), [data]);
}

function nameOr(names: ReadonlyMap<string, string>, id: string | null): string {
  return id === null ? '' : (names.get(id) ?? id);
}

function countColumns<T extends Pick<VmRow, 'counts'>>(
  kind: OffloadKind | undefined,
  text: Text,
  format: Format,
  nameOf: (row: T) => string,
): Column<T>[] {
  const t = text.performance.offloads;
  return [
    countColumn<T>('commands', t.commands, (row) => countOf(row.counts, kind).commands),
    bytesColumn<T>('spared', t.spared, (row) => countOf(row.counts, kind).bytesSpared, format, {
      always: true,
    }),
    countColumn<T>('fallBacks', t.fallBacks, (row) => countOf(row.counts, kind).fallBacks),
    {
      key: 'reasons',
      title: t.reasons,
      by: (row) => countOf(row.counts, kind).reasons[0]?.sentence ?? '',
      cell: (row) => <FallBackReasons key={nameOf(row)} of={nameOf(row)} count={countOf(row.counts, kind)} />,
      width: 11,
      grow: 1,
    },
  ];
}
