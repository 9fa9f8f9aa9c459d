import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Call } from '../../api/call';
import { send } from '../../api/send';
import type { ChartData } from '../../kit/chart-drawing';
import { QueryCard } from '../../kit/query-card';
import { type LiveFigures, type Subject, useFigures } from '../../live/figures';
import { useFormat, useText } from '../../text/preferences';
import { FigureChart } from '../performance/figure-chart';
import { hasHole, pointsOf } from '../performance/lines';
import type { History } from '../performance/load-object';
import { type Measure, measuresOf, nowOf, SERIES, type Side } from '../performance/measures';
import { WINDOWS } from '../performance/span';

interface LoadChartsProps {
  subject: Subject;
  /** The history of the same object, for what was before the page was opened. */
  past: Call<History>;
}

/** The query of a history for these charts. */
export const PAST = { window: '15m', step: '10s', series: SERIES } as const;

/** What hosts read and wrote in the last 15 minutes, and do right now. */
export function LoadCharts({ subject, past }: LoadChartsProps) {
  const text = useText();
  const format = useFormat();
  const history = useQuery({
    queryKey: ['history', past.path],
    staleTime: 0, // what was read when the page was open before has ended since
    queryFn: ({ signal }) => send(past, signal),
  });
  const live = useFigures(subject);
  const measures = useMemo(() => measuresOf(text, format), [text, format]);
  const { data, refetch } = history;
  const holed = data !== undefined && hasHole(data, live);
  useEffect(() => {
    if (holed) {
      void refetch();
    }
  }, [holed, refetch]);
  return (
    <QueryCard wide title={text.overview.load} query={history}>
      {(read) => (
        <>
          {read.obstacle !== null && <p lang="en">{read.obstacle}</p>}
          <div className="c-cards">
            {measures.map((measure) => (
              <LoadChart key={measure.key} history={read} live={live} measure={measure} />
            ))}
          </div>
        </>
      )}
    </QueryCard>
  );
}

interface LoadChartProps {
  history: History;
  live: readonly LiveFigures[];
  measure: Measure;
}

function LoadChart({ history, live, measure }: LoadChartProps) {
  const text = useText();
  const format = useFormat();
  const { reads, writes, loadAlt } = text.overview;
  const data = useMemo((): ChartData => {
    // By the clock of the server: that of the browser may be another one.
    const since = Date.parse(live.at(-1)?.at ?? history.to) - WINDOWS['15m'];
    const line = (name: string, side: Side) => ({
      name,
      points: pointsOf(history, live, measure.of(side), since),
    });
    return {
      lines: [line(reads, 'read'), line(writes, 'write')],
      shown: measure.shown,
      clock: (at) => format.clock(at),
    };
  }, [history, live, measure, format, reads, writes]);
  return (
    <FigureChart
      title={measure.title}
      data={data}
      alt={loadAlt}
      now={{ name: measure.key, text: nowOf(measure, live.at(-1), { reads, writes }) }}
    />
  );
}
