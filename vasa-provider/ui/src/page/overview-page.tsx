import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  Content,
  PageSection,
  Progress,
  ProgressMeasureLocation,
  Skeleton,
  Title,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call';
import { send } from '../api/send';
import { Figure } from '../kit/figure';
import { ProblemAlert } from '../kit/problem-alert';
import { useFormat, useText } from '../text/preferences';
import { ActiveAlerts } from './overview-alerts';
import { LoadCharts } from './overview-load';

/** Whether all is well, how full it is, and how busy. */
export default function OverviewPage() {
  const text = useText();
  return (
    <>
      <PageSection>
        <Title headingLevel="h1">{text.overview.title}</Title>
      </PageSection>
      <PageSection isFilled>
        <div className="c-cards">
          <Status />
          <Capacity />
          <Forecast />
          <LoadCharts />
          <ActiveAlerts />
        </div>
      </PageSection>
    </>
  );
}

function useSystem() {
  return useQuery({
    queryKey: ['space', 'system'],
    queryFn: ({ signal }) => send(call('GET /system'), signal),
  });
}

function Status() {
  const text = useText();
  const system = useSystem();
  const status = system.data?.status;
  return (
    <div className="c-wide">
      {system.isError ? (
        <ProblemAlert error={system.error} retry={() => void system.refetch()} />
      ) : status === undefined ? (
        <Skeleton screenreaderText={text.common.loading} />
      ) : status.state === 'SERVING' ? (
        <Alert isInline variant="success" component="h2" title={text.overview.healthy} />
      ) : (
        <Alert
          isInline
          variant={status.stopped ? 'danger' : 'warning'}
          component="h2"
          title={status.reason}
          lang="en"
        />
      )}
    </div>
  );
}

function Capacity() {
  const text = useText();
  const format = useFormat();
  const { data } = useSystem();
  const system = '/system';
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{text.overview.capacity}</CardTitle>
      <CardBody>
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
                <Figure of={system} at="/space/used" value={data.space.used} unit="bytes" />{' '}
                {text.overview.used} (
                <Figure of={system} at="/space/capacity" value={data.space.capacity} unit="bytes" />)
              </li>
              <li>
                <Figure of={system} at="/space/free" value={data.space.free} unit="bytes" />{' '}
                {text.overview.free}
              </li>
              <li>
                <Figure of={system} at="/reclaimable" value={data.reclaimable} unit="bytes" />{' '}
                {text.overview.reclaimable}
              </li>
              <li>
                <Figure
                  of={system}
                  at="/counters/bytesCopiedByPointer"
                  value={data.counters.bytesCopiedByPointer}
                  unit="bytes"
                />{' '}
                {text.overview.pointers}
              </li>
            </Content>
          </>
        )}
      </CardBody>
    </Card>
  );
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole;
}

function Forecast() {
  const text = useText();
  const forecast = useQuery({
    queryKey: ['space', 'forecast'],
    queryFn: ({ signal }) => send(call('GET /system/forecast'), signal),
  });
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{text.overview.forecast}</CardTitle>
      <CardBody>
        {forecast.isError ? (
          <ProblemAlert error={forecast.error} retry={() => void forecast.refetch()} />
        ) : forecast.data === undefined ? (
          <Skeleton screenreaderText={text.common.loading} />
        ) : (
          <p lang="en">{forecast.data.sentence}</p>
        )}
      </CardBody>
    </Card>
  );
}
