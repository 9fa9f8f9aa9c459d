import { Skeleton } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams } from 'react-router';
import { call, type Call, type Output } from '../../api/call';
import { sendJob, WAIT } from '../../api/job';
import { send } from '../../api/send';
import { PageFrame } from '../../kit/page-frame';
import { ProblemAlert } from '../../kit/problem-alert';
import { useText } from '../../text/preferences';
import { basesOf, nameOf, type Vvol } from '../volumes-page';
import { VolumeActions } from '../volume/volume-actions';
import { VolumeFacts } from '../volume/volume-facts';
import { WhySlow } from './diagnosis';
import { LimitsCard } from './limits';
import { LoadCharts, PAST } from './load-charts';
import { SnapshotTable } from './snapshot-table';
import { TimelineCard } from './timeline';

/** One volume: how busy it is, why it is slow, its limits, and the ways back. */
export default function VolumePage() {
  const text = useText();
  const id = useParams().id!;
  const path = { id };
  const volume = useQuery({
    queryKey: ['volumes', 'one', id],
    queryFn: ({ signal }) => send(call('GET /vvols/{id}', { path }), signal),
  });
  const data = volume.data;
  return (
    <PageFrame
      title={data === undefined ? id : nameOf(data)}
      from={{ to: '/volumes', title: text.volumes.title }}
      head={
        <>
          {volume.isError && (
            <ProblemAlert error={volume.error} retry={() => void volume.refetch()} />
          )}
          {volume.isPending && <Skeleton screenreaderText={text.common.loading} />}
          {data !== undefined && <VolumeActions volume={data} />}
        </>
      }
    >
      {data !== undefined && <Cards volume={data} />}
    </PageFrame>
  );
}

function Cards({ volume }: { volume: Vvol }) {
  const path = { id: volume.id };
  const now = useMemo(() => basesOf([volume]), [volume]);
  return (
    <div className="c-cards">
      <LoadCharts
        subject={`volume:${volume.id}`}
        past={call('GET /vvols/{id}/history', { path, query: PAST })}
      />
      <VolumeFacts volume={volume} />
      <WhySlow ask={call('GET /volumes/{id}/diagnosis', { path })} />
      <LimitsCard
        read={call('GET /vvols/{id}/limits', { path })}
        operation="PUT /vvols/{id}/limits"
        write={(limits, ifMatch) =>
          call('PUT /vvols/{id}/limits', { path, body: limits, ifMatch })
        }
      />
      {volume.plain && <Timeline volume={volume} />}
      <div className="c-wide">
        <SnapshotTable
          id={volume.id}
          now={now}
          page={(query) => call('GET /vvols/{id}/snapshots', { path, query })}
          take={{
            operation: 'POST /vvols/{id}/snapshots',
            call: (name) =>
              call('POST /vvols/{id}/snapshots', { path, query: { wait: WAIT }, body: { name } }),
          }}
        />
      </div>
    </div>
  );
}

function Timeline({ volume }: { volume: Vvol }) {
  const path = { id: volume.id };
  const query = { wait: WAIT };
  return (
    <TimelineCard
      name={nameOf(volume)}
      read={call('GET /volumes/{id}/timeline', { path })}
      revert={{
        operation: 'POST /volumes/{id}/revert',
        call: (moment) => call('POST /volumes/{id}/revert', { path, query, body: { moment } }),
      }}
      clone={{
        operation: 'POST /volumes/{id}/clone',
        call: (moment, name) =>
          call('POST /volumes/{id}/clone', { path, query, body: { moment, name } }),
        send: async (it) => {
          const { result } = await sendJob(it as Call<Output<'POST /volumes/{id}/clone'>>);
          return result === null ? [] : [result.id];
        },
      }}
    />
  );
}
