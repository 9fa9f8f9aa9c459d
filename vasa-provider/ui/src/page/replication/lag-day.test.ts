import { describe, expect, it } from 'vitest';
import { en } from '../../text/en';
import { Format } from '../../text/format';
import { bytesChart, type LagDay, lagChart } from './lag-day';

const format = new Format({ language: 'en', zone: 'utc' });
const FROM = Date.parse('2026-11-29T14:00:00Z');
const MINUTE = 60_000;

const day: LagDay = {
  id: 'a',
  from: '2026-11-29T14:00:00Z',
  to: '2026-11-29T14:04:00Z',
  step: '1m',
  obstacle: null,
  series: [
    { name: 'lag', unit: 's', statistics: null, values: [null, null, 12, 75] },
    { name: 'dataBytes', unit: 'B', statistics: null, values: [null, 0, 4096, 0] },
    { name: 'linkBytes', unit: 'B', statistics: null, values: [null, 0, 2048, 0] },
  ],
};

describe('the charts of a day', () => {
  it('begin where something is known', () => {
    const { lines, span, shown } = lagChart(day, 'PT30S', en, format);
    expect(lines[0]?.points).toEqual([
      [FROM + MINUTE, null],
      [FROM + 2 * MINUTE, 12],
      [FROM + 3 * MINUTE, 75],
    ]);
    expect(span).toEqual({ from: FROM, to: FROM + 4 * MINUTE });
    expect(shown(75)).toBe('1 min 15 s');
  });

  it('show the RPO beside the lag', () => {
    const { lines } = lagChart(day, 'PT30S', en, format);
    expect(lines[1]?.points.map(([, value]) => value)).toEqual([30, 30, 30]);
  });

  it('show what was sent, and what of it went over the link', () => {
    const { lines } = bytesChart(day, en, format);
    expect(lines.map(({ points }) => points[1]?.[1])).toEqual([4096, 2048]);
  });

  it('are empty while nothing is known', () => {
    const series = day.series.map((one) => ({ ...one, values: [null, null, null, null] }));
    expect(lagChart({ ...day, series }, 'PT30S', en, format).lines[1]?.points).toEqual([]);
  });
});
