import {
  Card,
  CardBody,
  CardTitle,
  Content,
  Progress,
  ProgressMeasureLocation,
  Skeleton,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call';
import { send } from '../api/send';
import { Figure } from '../kit/figure';
import { PageFrame } from '../kit/page-frame';
import { ProblemAlert } from '../kit/problem-alert';
import { useFormat, useText } from '../text/preferences';
import { ActiveAlerts } from './overview-alerts';
import { Busiest } from './overview-busiest';
import { LoadCharts, PAST } from './object/load-charts';
import { Verdict } from './overview-verdict';

/** What the stream of events does not tell is read once a minute: an open page costs next to nothing. */
const REFRESH_MILLIS = 60_000;

/** Whether all is well, how full it is, and how busy. */
export default function OverviewPage() {
  const text = useText();
  return (
    <PageFrame title={text.overview.title}>
      <div className="c-cards">
        <Verdict />
        <ActiveAlerts />
        <Capacity />
        <Savings />
        <LoadCharts subject="system" past={call('GET /system/history', { query: PAST })} />
        <Busiest />
      </div>
    </PageFrame>
  );
}

function useSystem() {
  return useQuery({
    queryKey: ['space', 'system'],
    queryFn: ({ signal }) => send(call('GET /system'), signal),
  });
}

function Capacity() {
  const text = useText();
  const format = useFormat();
  const system = useSystem();
  const data = system.data;
  const of = '/system';
  const forecast = useQuery({
    queryKey: ['space', 'forecast'],
    queryFn: ({ signal }) => send(call('GET /system/forecast'), signal),
  });
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{text.overview.capacity}</CardTitle>
      <CardBody>
        {system.isError && (
          <ProblemAlert error={system.error} retry={() => void system.refetch()} />
        )}
        {data === undefined ? (
          <Skeleton screenreaderText={text.common.loading} />
        ) : (
          <>
            <Progress
              aria-label={text.overview.capacity}
              value={percent(data.space.used, data.space.capacity)}
              label={format.percent(data.space.used, data.space.capacity)}
              measureLocation={ProgressMeasureLocation.outside}
            />
            <Content component="ul">
              <li>
                <Figure of={of} at="/space/used" value={data.space.used} unit="bytes" />{' '}
                {text.overview.used} (
                <Figure of={of} at="/space/capacity" value={data.space.capacity} unit="bytes" />)
              </li>
              <li>
                <Figure of={of} at="/space/free" value={data.space.free} unit="bytes" />{' '}
                {text.overview.free}
              </li>
              <li>
                <Figure of={of} at="/reclaimable" value={data.reclaimable} unit="bytes" />{' '}
                {text.overview.reclaimable}
              </li>
            </Content>
          </>
        )}
        {forecast.isError && (
          <ProblemAlert error={forecast.error} retry={() => void forecast.refetch()} />
        )}
        {forecast.data !== undefined && <p lang="en">{forecast.data.sentence}</p>}
      </CardBody>
    </Card>
  );
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole;
}

/** What thin volumes and copies by pointer save, each by itself, and what never crossed the wire. */
function Savings() {
  const text = useText();
  const format = useFormat();
  const { data } = useSystem();
  const of = '/system';
  // What little data there is takes less room than the pool's own records.
  const isSaved = data !== undefined && (data.mapped ?? 0) > data.space.used;
  const offloads = useQuery({
    queryKey: ['offloads', 'total'],
    refetchInterval: REFRESH_MILLIS,
    queryFn: ({ signal }) => send(call('GET /offloads/total'), signal),
  });
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{text.overview.savings}</CardTitle>
      <CardBody>
        {data === undefined ? (
          <Skeleton screenreaderText={text.common.loading} />
        ) : (
          <Content component="ul">
            <li>
              <strong>{format.ratio(data.provisioned, data.mapped)}</strong> {text.overview.thin} (
              <Figure of={of} at="/provisioned" value={data.provisioned} unit="bytes" />{' '}
              {text.overview.provisioned})
            </li>
            <li>
              <strong>{format.ratio(data.mapped ?? 0, isSaved ? data.space.used : null)}</strong> {text.overview.pointers}
              {data.mapped !== null && (
                <>
                  {' '}
                  (<Figure of={of} at="/mapped" value={data.mapped} unit="bytes" />{' '}
                  {text.overview.mapped})
                </>
              )}
            </li>
          </Content>
        )}
        {offloads.data !== undefined && (
          <p>
            <Figure
              of="/offloads/total"
              at="/total/bytesSpared"
              value={offloads.data.total.bytesSpared}
              unit="bytes"
            />{' '}
            {text.overview.spared}
          </p>
        )}
      </CardBody>
    </Card>
  );
}
