import { describe, expect, it } from 'vitest';
import type { LiveFigures } from '../../live/figures';
import { en } from '../../text/en';
import { Format } from '../../text/format';
import type { History } from './load-object';
import { type Measure, measuresOf, partsOf } from './measures';

const format = new Format({ language: 'en', zone: 'utc' });
const [iops, bandwidth, latency] = measuresOf(en, format) as [Measure, Measure, Measure];

const history: History = {
  id: null,
  from: '2026-11-28T10:00:00Z',
  to: '2026-11-28T10:00:10Z',
  step: '10s',
  obstacle: null,
  series: Object.entries({
    reads: 3,
    writes: 1,
    bytesRead: 3000,
    bytesWritten: 1000,
    readLatency: 100,
    writeLatency: 500,
    readQueue: 20,
    writeQueue: 60,
  }).map(([name, value]) => ({ name, unit: '', statistics: null, values: [value] })),
};

const figures: LiveFigures = {
  at: '2026-11-28T10:00:12Z',
  of: 'system',
  iops: { read: 30, write: 0 },
  bandwidth: { read: 300, write: 0 },
  latency: { read: 120, write: 0 },
  device: 100,
  queue: 15,
  limit: 5,
  used: null,
  free: null,
};

describe('a measure', () => {
  it('is of reads, of writes, and of both', () => {
    expect(iops.of('read').past(history)).toEqual([3]);
    expect(iops.of('both').past(history)).toEqual([4]);
    expect(bandwidth.of('write').past(history)).toEqual([1000]);
    expect(bandwidth.of('both').live?.(figures)).toBe(300);
  });

  it('of time is the mean of a command', () => {
    expect(latency.of('both').past(history)).toEqual([200]);
    expect(latency.of('both').live?.(figures)).toBe(120);
    expect(latency.shown(1500)).toBe('1.5 ms');
  });

  it('of time is not known while no command comes', () => {
    expect(latency.of('write').live?.(figures)).toBeNull();
  });
});

describe('a part of the latency', () => {
  const queue = partsOf(en)[1]!;

  it('is of reads, of writes, and of both', () => {
    expect(queue.of('write').past(history)).toEqual([60]);
    expect(queue.of('both').past(history)).toEqual([30]);
  });

  it('comes by the stream of both together', () => {
    expect(queue.of('both').live?.(figures)).toBe(15);
    expect(queue.of('read').live).toBeUndefined();
  });
});
