import { Skeleton } from '@patternfly/react-core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useParams } from 'react-router';
import { call, type Call, type Output } from '../../api/call';
import { WAIT } from '../../api/job';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Figure } from '../../kit/figure';
import { PageFrame } from '../../kit/page-frame';
import { ProblemAlert } from '../../kit/problem-alert';
import { QueryCard } from '../../kit/query-card';
import { useFormat, useText } from '../../text/preferences';
import { CreateGroup } from '../protection/group-forms';
import { basesOf, nameOf } from '../volumes-page';
import { WhySlow } from './diagnosis';
import { LimitsCard } from './limits';
import { LoadCharts, PAST } from './load-charts';
import { SnapshotTable } from './snapshot-table';
import { TimelineCard } from './timeline';

const MOST_DISKS = 1000;

/** One virtual machine: its disks, how busy it is, why it is slow, its limits, and the ways back. */
export default function VmPage() {
  const text = useText();
  const id = useParams().id!;
  const path = { id };
  const vm = useQuery({
    queryKey: ['vms', 'one', id],
    queryFn: ({ signal }) => send(call('GET /vms/{id}', { path }), signal),
  });
  const data = vm.data;
  const name = data?.name ?? id;
  return (
    <PageFrame
      title={name}
      from={{ to: '/vms', title: text.vms.title }}
      head={
        <>
          {vm.isError && <ProblemAlert error={vm.error} retry={() => void vm.refetch()} />}
          {vm.isPending && <Skeleton screenreaderText={text.common.loading} />}
          {data !== undefined && <Protect id={id} />}
          {data !== undefined && (
            <p>
              {text.vms.provisioned}{' '}
              <Figure of={`/vms/${id}`} at="/provisioned" value={data.provisioned} unit="bytes" />,{' '}
              {text.overview.used}{' '}
              <Figure of={`/vms/${id}`} at="/used" value={data.used} unit="bytes" />
            </p>
          )}
        </>
      }
    >
      {data !== undefined && <Cards id={id} name={name} />}
    </PageFrame>
  );
}

function Protect({ id }: { id: string }) {
  const text = useText();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <ActionButton
        operation="POST /protection-groups"
        variant="secondary"
        onClick={() => setAsking(true)}
      >
        {text.volume.protect}
      </ActionButton>
      {asking && <CreateGroup first={{ vms: [id] }} close={() => setAsking(false)} />}
    </>
  );
}

function Cards({ id, name }: { id: string; name: string }) {
  const path = { id };
  const disks = useQuery({
    queryKey: ['volumes', 'of', id],
    queryFn: ({ signal }) =>
      send(call('GET /vvols', { query: { vm: id, limit: MOST_DISKS, sort: 'name' } }), signal),
  });
  const now = useMemo(() => basesOf(disks.data?.items ?? []), [disks.data]);
  return (
    <div className="c-cards">
      <LoadCharts
        subject={`vm:${id}`}
        past={call('GET /vms/{id}/history', { path, query: PAST })}
      />
      <Disks disks={disks} />
      <WhySlow ask={call('GET /vms/{id}/diagnosis', { path })} />
      <LimitsCard
        read={call('GET /vms/{id}/limits', { path })}
        operation="PUT /vms/{id}/limits"
        write={(limits, ifMatch) =>
          call('PUT /vms/{id}/limits', { path, body: limits, ifMatch })
        }
      />
      <TimelineCard
        name={name}
        read={call('GET /vms/{id}/timeline', { path })}
        revert={{
          operation: 'POST /vms/{id}/revert',
          call: (moment) =>
            call('POST /vms/{id}/revert', { path, query: { wait: WAIT }, body: { moment } }),
        }}
        clone={{
          operation: 'POST /vms/{id}/clone',
          call: (moment, made) =>
            call('POST /vms/{id}/clone', { path, body: { moment, name: made } }),
          send: async (it) => {
            const { volumes } = await send(it as Call<Output<'POST /vms/{id}/clone'>>);
            return volumes.map((one) => one.id);
          },
        }}
      />
      <div className="c-wide">
        <SnapshotTable
          id={id}
          now={now}
          page={(query) => call('GET /vms/{id}/snapshots', { path, query })}
          take={{
            operation: 'POST /vms/{id}/snapshots',
            call: (made) =>
              call('POST /vms/{id}/snapshots', {
                path,
                query: { wait: WAIT },
                body: { name: made },
              }),
          }}
          revertAll={(snapshot) =>
            call('POST /vms/{id}/revert', {
              path,
              query: { wait: WAIT },
              body: { snapshot: snapshot.id },
            })
          }
        />
      </div>
    </div>
  );
}

function Disks({ disks }: { disks: UseQueryResult<Output<'GET /vvols'>> }) {
  const text = useText();
  const format = useFormat();
  return (
    <QueryCard title={text.vms.disks} query={disks}>
      {({ items }) => (
        <ul>
          {items.map((disk) => (
            <li key={disk.id}>
              <Link to={`/volumes/${disk.id}`}>{nameOf(disk)}</Link> ({disk.type},{' '}
              {format.bytes(disk.size)})
            </li>
          ))}
        </ul>
      )}
    </QueryCard>
  );
}
