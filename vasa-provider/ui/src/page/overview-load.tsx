import { Card, CardBody, CardTitle, ExpandableSection, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, type Output } from '../api/call';
import { send } from '../api/send';
import { Chart } from '../kit/chart';
import type { ChartData } from '../kit/chart-drawing';
import { ProblemAlert } from '../kit/problem-alert';
import type { Format } from '../text/format';
import type { Text } from '../text/en';
import { useFormat, useText } from '../text/preferences';

type History = Output<'GET /system/history'>;

/** Figures come each 10 s; the page asks once a minute, so that an open page costs next to nothing. */
const REFRESH_MILLIS = 60_000;

interface Group {
  title: string;
  reads: string;
  writes: string;
  shown: (value: number) => string;
}

/** What hosts read and wrote in the last 15 minutes. */
export function LoadCharts() {
  const text = useText();
  const format = useFormat();
  const history = useQuery({
    queryKey: ['history', 'system'],
    refetchInterval: REFRESH_MILLIS,
    queryFn: ({ signal }) =>
      send(
        call('GET /system/history', {
          query: {
            window: '15m',
            step: '10s',
            series: 'reads,writes,bytesRead,bytesWritten,readLatency,writeLatency',
          },
        }),
        signal,
      ),
  });
  const data = history.data;
  return (
    <Card className="c-wide">
      <CardTitle component="h2">{text.overview.load}</CardTitle>
      <CardBody>
        {history.isError && (
          <ProblemAlert error={history.error} retry={() => void history.refetch()} />
        )}
        {data !== undefined && data.obstacle !== null && <p lang="en">{data.obstacle}</p>}
        <div className="c-cards">
          {data !== undefined &&
            groups(text, format).map((group) => (
              <LoadChart key={group.title} history={data} group={group} />
            ))}
        </div>
      </CardBody>
    </Card>
  );
}

function groups(text: Text, format: Format): Group[] {
  const { iops, bandwidth, latency } = text.overview;
  return [
    { title: iops, reads: 'reads', writes: 'writes', shown: (v) => format.number(v) },
    {
      title: bandwidth,
      reads: 'bytesRead',
      writes: 'bytesWritten',
      shown: (v) => format.bytesPerSecond(v),
    },
    {
      title: latency,
      reads: 'readLatency',
      writes: 'writeLatency',
      shown: (v) => format.seconds(v),
    },
  ];
}

function LoadChart({ history, group }: { history: History; group: Group }) {
  const text = useText();
  const format = useFormat();
  const data = useMemo(() => chart(history, group, text, format), [history, group, text, format]);
  return (
    <section aria-label={group.title}>
      <Title headingLevel="h3" size="md">
        {group.title}
      </Title>
      <Chart data={data} label={`${group.title}: ${text.overview.loadAlt}`} />
      <ExpandableSection toggleText={text.overview.asTable}>
        <div className="c-scroll" role="region" aria-label={group.title} tabIndex={0}>
          <table className="c-figures">
            <thead>
              <tr>
                <th scope="col">{text.overview.time}</th>
                {data.lines.map((line) => (
                  <th key={line.name} scope="col">
                    {line.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {(data.lines[0]?.values ?? []).map((_, i) => (
                <tr key={i}>
                  <th scope="row">{format.clock(data.from + i * data.step)}</th>
                  {data.lines.map((line) => (
                    <td key={line.name}>
                      {line.values[i] === null ? '–' : group.shown(line.values[i]!)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </ExpandableSection>
    </section>
  );
}

function chart(history: History, group: Group, text: Text, format: Format): ChartData {
  const values = (name: string) => history.series.find((one) => one.name === name)?.values ?? [];
  const reads = values(group.reads);
  return {
    from: Date.parse(history.from),
    step:
      (Date.parse(history.to) - Date.parse(history.from)) / Math.max(1, reads.length),
    lines: [
      { name: text.overview.reads, values: reads },
      { name: text.overview.writes, values: values(group.writes) },
    ],
    shown: group.shown,
    clock: (at) => format.clock(at),
  };
}
