import { PageSection, Title } from '@patternfly/react-core';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { call, type Output } from '../api/call';
import { type PageCall, useRows } from '../api/lists';
import { type Column, DataTable } from '../kit/data-table';
import { ProblemAlert } from '../kit/problem-alert';
import { useFormat, useText } from '../text/preferences';

type Vm = Output<'GET /vms'>['items'][number];

const PAGE: PageCall<Vm> = (query) => call('GET /vms', { query });

/** All virtual machines that have vVols here. */
export default function VmsPage() {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const vms = useRows(['vms'], PAGE);
  const columns = useMemo<Column<Vm>[]>(
    () => [
      {
        key: 'name',
        title: text.volumes.name,
        by: nameOf,
        cell: (row) => (
          <Link to={`/vms/${encodeURIComponent(row.id)}`} title={nameOf(row)}>
            {nameOf(row)}
          </Link>
        ),
        width: 12,
        grow: 3,
        always: true,
      },
      {
        key: 'disks',
        title: text.vms.disks,
        by: (row) => row.vvols.length,
        cell: (row) => row.vvols.length,
        width: 7,
        right: true,
      },
      {
        key: 'provisioned',
        title: text.vms.provisioned,
        by: (row) => row.provisioned,
        cell: (row) => format.bytes(row.provisioned),
        width: 9,
        right: true,
      },
      {
        key: 'used',
        title: text.vms.used,
        by: (row) => row.used,
        cell: (row) => format.bytes(row.used),
        width: 9,
        right: true,
        always: true,
      },
    ],
    [text, format],
  );
  return (
    <>
      <PageSection>
        <Title headingLevel="h1">{text.vms.title}</Title>
      </PageSection>
      <PageSection isFilled>
        {vms.isError && <ProblemAlert error={vms.error} retry={() => void vms.refetch()} />}
        <DataTable
          label={text.vms.title}
          list={vms.data}
          columns={columns}
          idOf={(row) => row.id}
          nameOf={nameOf}
          textOf={(row) => [row.name ?? '', row.id, ...row.vvols].join('\n')}
          usualSort="name"
          open={(row) => void navigate(`/vms/${encodeURIComponent(row.id)}`)}
        />
      </PageSection>
    </>
  );
}

function nameOf(vm: Vm): string {
  return vm.name ?? vm.id;
}
