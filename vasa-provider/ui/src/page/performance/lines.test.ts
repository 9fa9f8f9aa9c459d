import { describe, expect, it } from 'vitest';
import type { LiveFigures } from '../../live/figures';
import { hasHole, means, pointsOf, rowsOf, sums, unique, valuesOf } from './lines';
import type { History } from './load-object';

const START = Date.parse('2026-11-28T10:00:00Z');
const seconds = (n: number) => START + n * 1000;

const history: History = {
  id: null,
  from: '2026-11-28T10:00:00Z',
  to: '2026-11-28T10:00:30Z',
  step: '10s',
  obstacle: null,
  series: [{ name: 'reads', unit: '1/s', statistics: null, values: [1, null, 3] }],
};

function figures(second: number, reads: number): LiveFigures {
  return {
    at: new Date(seconds(second)).toISOString(),
    of: 'system',
    iops: { read: reads, write: 0 },
    bandwidth: { read: 0, write: 0 },
    latency: { read: 0, write: 0 },
    device: 0,
    queue: 0,
    limit: 0,
    used: null,
    free: null,
  };
}

const reads = {
  past: (one: History) => valuesOf(one, 'reads'),
  live: (one: LiveFigures) => one.iops.read,
};

describe('series', () => {
  it('are added; what is not known of one is not known of both', () => {
    expect(sums([1, null, 3], [10, 20, 30])).toEqual([11, null, 33]);
    expect(sums([1], [])).toEqual([null]);
  });

  it('of latencies are weighted with commands', () => {
    expect(means([100], [3], [500], [1])).toEqual([200]);
  });

  it('of latencies count where commands came', () => {
    expect(means([100], [3], [null], [0])).toEqual([100]);
    expect(means([null], [0], [null], [0])).toEqual([null]);
    expect(means([null], [null], [null], [null])).toEqual([null]);
  });
});

describe('points', () => {
  it('are those of the history, and then those of right now', () => {
    const live = [figures(20, 7), figures(32, 8)];
    expect(pointsOf(history, live, reads, 0)).toEqual([
      [seconds(0), 1],
      [seconds(10), null],
      [seconds(20), 3],
      [seconds(32), 8],
    ]);
  });

  it('begin with the time that is shown', () => {
    expect(pointsOf(history, [], reads, seconds(15))).toEqual([[seconds(20), 3]]);
  });

  it('are those of the history alone where the stream has none', () => {
    expect(pointsOf(history, [figures(40, 8)], { past: reads.past }, 0)).toHaveLength(3);
  });
});

describe('a hole', () => {
  it('is not what comes right after the history', () => {
    expect(hasHole(history, [])).toBe(false);
    expect(hasHole(history, [figures(60, 1)])).toBe(false);
  });

  it('is what the stream does not have any more', () => {
    expect(hasHole(history, [figures(600, 1)])).toBe(true);
  });
});

it('names of lines are unique', () => {
  expect(unique(['a', 'b', 'a', 'a'])).toEqual(['a', 'b', 'a (2)', 'a (3)']);
});

it('rows have the points of all lines in the order of time', () => {
  const lines = [
    { name: 'a', points: [[1, 10], [3, null]] as const },
    { name: 'b', points: [[2, 20], [3, 30]] as const },
  ];
  expect(rowsOf(lines)).toEqual([
    { at: 1, values: [10, undefined] },
    { at: 2, values: [undefined, 20] },
    { at: 3, values: [null, 30] },
  ]);
});
