import type { ChartLine, ChartPoint } from '../../kit/chart-drawing';
import type { LiveFigures } from '../../live/figures';
import type { History } from './load-object';

/** A value for each step, null where nothing is known. */
export type Values = readonly (number | null)[];

/** A figure over time: what a history has of it, and what it is right now. */
export interface Gauge {
  past: (history: History) => Values;
  /** None: the stream does not have it. */
  live?: (figures: LiveFigures) => number | null;
}

/** The values of a series; none if the history does not have it. */
export function valuesOf(history: History, series: string): Values {
  return history.series.find(({ name }) => name === series)?.values ?? [];
}

/** The sums of two series; null where one of both is not known. */
export function sums(a: Values, b: Values): Values {
  return a.map((one, i) => {
    const other = b[i] ?? null;
    return one === null || other === null ? null : one + other;
  });
}

/** The means of a command in two series of latencies, each with its commands. */
export function means(a: Values, commandsOfA: Values, b: Values, commandsOfB: Values): Values {
  return a.map((one, i) => mean(one, commandsOfA[i] ?? null, b[i] ?? null, commandsOfB[i] ?? null));
}

function mean(
  a: number | null,
  commandsOfA: number | null,
  b: number | null,
  commandsOfB: number | null,
): number | null {
  const parts = [
    { latency: a, commands: commandsOfA ?? 0 },
    { latency: b, commands: commandsOfB ?? 0 },
  ].filter(({ latency }) => latency !== null);
  const commands = parts.reduce((sum, part) => sum + part.commands, 0);
  const time = parts.reduce((sum, part) => sum + part.commands * (part.latency ?? 0), 0);
  return commands === 0 ? null : time / commands;
}

/** The history from a time on, in milliseconds, and what has come since as it is right now. */
export function pointsOf(
  history: History,
  live: readonly LiveFigures[],
  gauge: Gauge,
  since: number,
): ChartPoint[] {
  const from = Date.parse(history.from);
  const to = Date.parse(history.to);
  const values = gauge.past(history);
  const step = (to - from) / Math.max(1, values.length);
  const past = values
    .map((value, i): ChartPoint => [from + i * step, value])
    .filter(([at]) => at >= since);
  const { live: now } = gauge;
  const after =
    now === undefined
      ? []
      : live
          .map((figures): ChartPoint => [Date.parse(figures.at), now(figures)])
          .filter(([at]) => at >= Math.max(to, since));
  return [...past, ...after];
}

const HOLE_MILLIS = 60_000;

/** Whether figures are missing between a history and those that are kept of the stream. */
export function hasHole(history: History, live: readonly LiveFigures[]): boolean {
  const first = live[0];
  const values = history.series[0]?.values.length ?? 0;
  const to = Date.parse(history.to);
  const step = (to - Date.parse(history.from)) / Math.max(1, values);
  return first !== undefined && Date.parse(first.at) - to > 2 * step + HOLE_MILLIS;
}

/** The names of lines, of which no two are the same. */
export function unique(names: readonly string[]): string[] {
  const times = new Map<string, number>();
  return names.map((name) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? name : `${name} (${time})`;
  });
}

/** A row of a table of lines: a time, and what each line has then; absent where it has no point. */
export interface PointRow {
  at: number;
  values: readonly (number | null | undefined)[];
}

/** The points of lines as rows, the oldest first. */
export function rowsOf(lines: readonly ChartLine[]): PointRow[] {
  const rows = new Map<number, (number | null | undefined)[]>();
  lines.forEach(({ points }, i) => {
    for (const [at, value] of points) {
      const row = rows.get(at) ?? lines.map((): number | null | undefined => undefined);
      row[i] = value;
      rows.set(at, row);
    }
  });
  return [...rows].map(([at, values]) => ({ at, values })).sort((a, b) => a.at - b.at);
}
