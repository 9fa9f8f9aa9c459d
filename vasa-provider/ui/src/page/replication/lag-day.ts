import type { Output } from '../../api/call';
import type { ChartData, ChartPoint } from '../../kit/chart-drawing';
import { secondsOf } from '../../text/duration';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { shortTime } from './lag';

/** The last day of a group, minute by minute. */
export type LagDay = Output<'GET /replication/groups/{id}/history'>;

/** The lag over the day, and the RPO as a line. */
export function lagChart(day: LagDay, rpo: string, text: Text, format: Format): ChartData {
  const points = pointsOf(day, 'lag');
  const most = secondsOf(rpo) ?? null;
  return {
    ...common(day, format),
    lines: [
      { name: text.replication.lag, points },
      { name: text.replication.rpo, points: points.map(([at]) => [at, most] as const) },
    ],
    shown: (seconds) => shortTime(`PT${Math.round(seconds)}S`, format),
  };
}

/** What the cycles sent that ended in each minute. */
export function bytesChart(day: LagDay, text: Text, format: Format): ChartData {
  const t = text.replication.cycles;
  return {
    ...common(day, format),
    lines: [
      { name: t.data, points: pointsOf(day, 'dataBytes') },
      { name: t.link, points: pointsOf(day, 'linkBytes') },
    ],
    shown: (value) => format.bytes(value),
  };
}

function common({ from, to }: LagDay, format: Format) {
  return {
    span: { from: Date.parse(from), to: Date.parse(to) },
    clock: (at: number) => format.time(at),
  };
}

/** The points of a series, each at the begin of its minute, from the first known one on. */
function pointsOf({ from, to, series }: LagDay, wanted: string): ChartPoint[] {
  const begin = Date.parse(from);
  const values = series.find(({ name }) => name === wanted)?.values ?? [];
  const step = (Date.parse(to) - begin) / Math.max(1, values.length);
  const first = values.findIndex((_, i) => series.some((one) => (one.values[i] ?? null) !== null));
  return first < 0
    ? []
    : values.slice(first).map((value, i) => [begin + (first + i) * step, value] as const);
}
