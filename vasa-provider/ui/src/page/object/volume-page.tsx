import { Breadcrumb, BreadcrumbItem, PageSection, Skeleton, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { call } from '../../api/call';
import { WAIT } from '../../api/job';
import { send } from '../../api/send';
import { Figure } from '../../kit/figure';
import { ProblemAlert } from '../../kit/problem-alert';
import { useText } from '../../text/preferences';
import { nameOf } from '../volumes-page';
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
    <>
      <PageSection>
        <Breadcrumb>
          <BreadcrumbItem render={({ className }) => <Link className={className} to="/volumes">{text.volumes.title}</Link>} />
        </Breadcrumb>
        <Title headingLevel="h1">{data === undefined ? id : nameOf(data)}</Title>
        {volume.isError && (
          <ProblemAlert error={volume.error} retry={() => void volume.refetch()} />
        )}
        {volume.isPending && <Skeleton screenreaderText={text.common.loading} />}
        {data !== undefined && (
          <p>
            {text.volumes.size} <Figure of={`/vvols/${id}`} at="/size" value={data.size} unit="bytes" />
            , {text.volumes.mapped}{' '}
            <Figure of={`/vvols/${id}`} at="/mapped" value={data.mapped} unit="bytes" />
          </p>
        )}
      </PageSection>
      {data !== undefined && (
        <PageSection isFilled>
          <div className="c-cards">
            <LoadCharts
              subject={`volume:${id}`}
              past={call('GET /vvols/{id}/history', { path, query: PAST })}
            />
            <WhySlow ask={call('GET /volumes/{id}/diagnosis', { path })} />
            <LimitsCard
              read={call('GET /vvols/{id}/limits', { path })}
              operation="PUT /vvols/{id}/limits"
              write={(limits, ifMatch) =>
                call('PUT /vvols/{id}/limits', { path, body: { ...limits, weight: null }, ifMatch })
              }
            />
            {data.plain && (
              <TimelineCard
                name={nameOf(data)}
                read={call('GET /volumes/{id}/timeline', { path })}
                revert={{
                  operation: 'POST /volumes/{id}/revert',
                  call: (moment) =>
                    call('POST /volumes/{id}/revert', {
                      path,
                      query: { wait: WAIT },
                      body: { moment },
                    }),
                }}
                clone={{
                  operation: 'POST /volumes/{id}/clone',
                  call: (moment, name) =>
                    call('POST /volumes/{id}/clone', {
                      path,
                      query: { wait: WAIT },
                      body: { moment, name },
                    }),
                }}
                cloneIsJob
              />
            )}
            <div className="c-wide">
              <SnapshotTable
                id={id}
                page={(query) => call('GET /vvols/{id}/snapshots', { path, query })}
                take={{
                  operation: 'POST /vvols/{id}/snapshots',
                  call: (name) =>
                    call('POST /vvols/{id}/snapshots', {
                      path,
                      query: { wait: WAIT },
                      body: { name },
                    }),
                }}
              />
            </div>
          </div>
        </PageSection>
      )}
    </>
  );
}
