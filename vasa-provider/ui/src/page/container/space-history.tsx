import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { Chart } from '../../kit/chart';
import type { ChartData, ChartPoint } from '../../kit/chart-drawing';
import { ChartTable } from '../../kit/chart-table';
import { ChoiceField } from '../../kit/field';
import { ProblemAlert } from '../../kit/problem-alert';
import { useUrlState } from '../../kit/url-state';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';

type History = Output<'GET /containers/{id}/history'>;

const WINDOWS = ['1d', '7d', '30d', '365d'] as const;
const USUAL = '7d';

/** How the space of a container has become what it is. */
export function SpaceHistory({ id }: { id: string }) {
  const text = useText();
  const format = useFormat();
  const t = text.containers;
  const [asked, setWindow] = useUrlState('window', USUAL);
  const shown = WINDOWS.find((one) => one === asked) ?? USUAL;
  const history = useQuery({
    queryKey: ['history', `/containers/${id}/history`, shown],
    queryFn: ({ signal }) => send(historyOf(id, shown), signal),
  });
  const past = history.data;
  const data = useMemo(
    () => past && chart(past, text, format),
    [past, text, format],
  );
  return (
    <Card className="c-wide">
      <CardTitle component="h2">{t.history}</CardTitle>
      <CardBody>
        <ChoiceField
          label={t.window}
          value={shown}
          set={setWindow}
          choices={WINDOWS.map((one) => ({ value: one, label: t.windows[one] }))}
        />
        {history.isError && (
          <ProblemAlert error={history.error} retry={() => void history.refetch()} />
        )}
        {past !== undefined && past.obstacle !== null && <p lang="en">{past.obstacle}</p>}
        {data !== undefined && (
          <>
            <Chart data={data} label={`${t.history}: ${t.historyAlt}`} />
            <ChartTable data={data} label={t.history} />
          </>
        )}
      </CardBody>
    </Card>
  );
}

function historyOf(id: string, window: string) {
  return call('GET /containers/{id}/history', {
    path: { id },
    query: { window, series: 'quota,used,provisioned' },
  });
}

function chart(history: History, text: Text, format: Format): ChartData {
  const t = text.containers;
  const line = (name: string, series: string) => ({ name, points: pointsOf(history, series) });
  return {
    lines: [
      line(t.quota, 'quota'),
      line(t.used, 'used'),
      line(t.provisioned, 'provisioned'),
    ],
    shown: (value) => format.bytes(value),
    clock: (at) => format.time(at),
  };
}

/** The points of a series, each at the begin of its step. */
function pointsOf(
  history: Pick<History, 'from' | 'to' | 'series'>,
  series: string,
): ChartPoint[] {
  const from = Date.parse(history.from);
  const values = history.series.find(({ name }) => name === series)?.values ?? [];
  const step = (Date.parse(history.to) - from) / Math.max(1, values.length);
  return values.map((value, i) => [from + i * step, value]);
}
