import { Card, CardBody, CardTitle, ExpandableSection, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Call, Output } from '../../api/call';
import { send } from '../../api/send';
import { Chart } from '../../kit/chart';
import type { ChartData, ChartPoint } from '../../kit/chart-drawing';
import { ProblemAlert } from '../../kit/problem-alert';
import { type LiveFigures, type Subject, useFigures } from '../../live/figures';
import type { Format } from '../../text/format';
import type { Text } from '../../text/en';
import { useFormat, useText } from '../../text/preferences';

type History = Output<'GET /system/history'>;

const MICROS = 1e-6;
const SPAN_MILLIS = 15 * 60_000;

interface Group {
  title: string;
  reads: string;
  writes: string;
  /** The same of figures right now. */
  live: (figures: LiveFigures) => { read: number; write: number };
  shown: (value: number) => string;
}

interface LoadChartsProps {
  subject: Subject;
  /** The history of the same object, for what was before the page was opened. */
  past: Call<History>;
}

/** The query of a history for these charts. */
export const PAST = {
  window: '15m',
  step: '10s',
  series: 'reads,writes,bytesRead,bytesWritten,readLatency,writeLatency',
} as const;

/** What hosts read and wrote in the last 15 minutes, and do right now. */
export function LoadCharts({ subject, past }: LoadChartsProps) {
  const text = useText();
  const format = useFormat();
  const history = useQuery({
    queryKey: ['history', past.path],
    queryFn: ({ signal }) => send(past, signal),
  });
  const live = useFigures(subject);
  const shown = useMemo(() => groups(text, format), [text, format]);
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
            shown.map((group) => (
              <LoadChart key={group.title} history={data} live={live} group={group} />
            ))}
        </div>
      </CardBody>
    </Card>
  );
}

function groups(text: Text, format: Format): Group[] {
  const { iops, bandwidth, latency } = text.overview;
  return [
    {
      title: iops,
      reads: 'reads',
      writes: 'writes',
      live: (figures) => figures.iops,
      shown: (v) => format.number(v),
    },
    {
      title: bandwidth,
      reads: 'bytesRead',
      writes: 'bytesWritten',
      live: (figures) => figures.bandwidth,
      shown: (v) => format.bytesPerSecond(v),
    },
    {
      title: latency,
      reads: 'readLatency',
      writes: 'writeLatency',
      live: ({ latency }) => ({ read: latency.read * MICROS, write: latency.write * MICROS }),
      shown: (v) => format.seconds(v),
    },
  ];
}

interface LoadChartProps {
  history: History;
  live: readonly LiveFigures[];
  group: Group;
}

function LoadChart({ history, live, group }: LoadChartProps) {
  const text = useText();
  const format = useFormat();
  const data = useMemo(
    () => chart(history, live, group, text, format),
    [history, live, group, text, format],
  );
  const [tabled, setTabled] = useState(false);
  const newest = live.at(-1);
  const now = newest && group.live(newest);
  return (
    <section aria-label={group.title}>
      <Title headingLevel="h3" size="md">
        {group.title}
      </Title>
      <p className="c-large" data-now={group.reads}>
        {now === undefined
          ? '–'
          : `${text.overview.reads} ${group.shown(now.read)} · ${text.overview.writes} ${group.shown(now.write)}`}
      </p>
      <Chart data={data} label={`${group.title}: ${text.overview.loadAlt}`} />
      <ExpandableSection
        toggleText={text.overview.asTable}
        isExpanded={tabled}
        onToggle={(_, open) => setTabled(open)}
      >
        {tabled && <LoadTable data={data} group={group} />}
      </ExpandableSection>
    </section>
  );
}

function LoadTable({ data, group }: { data: ChartData; group: Group }) {
  const text = useText();
  const format = useFormat();
  return (
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
          {(data.lines[0]?.points ?? []).map(([at], i) => (
            <tr key={at}>
              <th scope="row">{format.clock(at)}</th>
              {data.lines.map((line) => (
                <td key={line.name}>{shownOr(group, line.points[i]?.[1] ?? null)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shownOr(group: Group, value: number | null): string {
  return value === null ? '–' : group.shown(value);
}

/** The history, and what has come since as it is right now. */
function chart(
  history: History,
  live: readonly LiveFigures[],
  group: Group,
  text: Text,
  format: Format,
): ChartData {
  const from = Date.parse(history.from);
  const to = Date.parse(history.to);
  const line = (name: string, series: string, kind: 'read' | 'write') => {
    const values = history.series.find((one) => one.name === series)?.values ?? [];
    const step = (to - from) / Math.max(1, values.length);
    const since = live
      .map((figures): ChartPoint => [Date.parse(figures.at), group.live(figures)[kind]])
      .filter(([at]) => at > to);
    const kept = values
      .map((value, i): ChartPoint => [from + i * step, value])
      .filter(([at]) => at >= Date.now() - SPAN_MILLIS);
    return { name, points: [...kept, ...since] };
  };
  return {
    lines: [
      line(text.overview.reads, group.reads, 'read'),
      line(text.overview.writes, group.writes, 'write'),
    ],
    shown: group.shown,
    clock: (at) => format.clock(at),
  };
}
