import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { call, type Output } from '../api/call';
import { type PageCall, useRows } from '../api/lists';
import { bytesColumn, countColumn, linkColumn } from '../kit/columns';
import type { Column } from '../kit/data-table';
import { ListTable } from '../kit/list-table';
import { PageFrame } from '../kit/page-frame';
import type { Text } from '../text/en';
import type { Format } from '../text/format';
import { useFormat, useText } from '../text/preferences';

type Vm = Output<'GET /vms'>['items'][number];

const PAGE: PageCall<Vm> = (query) => call('GET /vms', { query });

/** All virtual machines that have vVols here. */
export default function VmsPage() {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const vms = useRows(['vms'], PAGE);
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  return (
    <PageFrame title={text.vms.title}>
      <ListTable
        label={text.vms.title}
        query={vms}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="name"
        open={(row) => void navigate(pageOf(row))}
      />
    </PageFrame>
  );
}

function columnsOf(text: Text, format: Format): Column<Vm>[] {
  return [
    linkColumn(text.volumes.name, nameOf, pageOf, { grow: 3 }),
    countColumn('disks', text.vms.disks, (row) => row.vvols.length),
    bytesColumn('provisioned', text.vms.provisioned, (row) => row.provisioned, format, {
      width: 9,
    }),
    bytesColumn('used', text.vms.used, (row) => row.used, format, { width: 9, always: true }),
  ];
}

function idOf(vm: Vm): string {
  return vm.id;
}

function nameOf(vm: Vm): string {
  return vm.name ?? vm.id;
}

function pageOf(vm: Vm): string {
  return `/vms/${encodeURIComponent(vm.id)}`;
}

function textOf(vm: Vm): string {
  return [vm.name ?? '', vm.id, ...vm.vvols].join('\n');
}
