import type { LiveFigures } from '../../live/figures';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { type Gauge, means, sums, type Values, valuesOf } from './lines';
import type { History } from './load-object';

const MICROS = 1e-6;

/** Reads, writes, or both together. */
export type Side = 'read' | 'write' | 'both';

/** Something that is measured of an object. */
export interface Measure {
  key: 'iops' | 'bandwidth' | 'latency';
  title: string;
  of: (side: Side) => Gauge;
  shown: (value: number) => string;
}

/** The series of reads and of writes apart, as a history has them. */
export const SERIES = 'reads,writes,bytesRead,bytesWritten,readLatency,writeLatency';

/** The series of the parts of a latency. */
export const PARTS = 'readDevice,writeDevice,readQueue,writeQueue,readLimit,writeLimit';

/** What is measured of each object. Latencies are in microseconds. */
export function measuresOf(text: Text, format: Format): readonly Measure[] {
  const { iops, bandwidth, latency } = text.overview;
  return [
    {
      key: 'iops',
      title: iops,
      of: (side) => ({
        past: (history) => rate(history, 'reads', 'writes', side),
        live: (figures) => live(figures.iops, side),
      }),
      shown: (value) => format.number(value),
    },
    {
      key: 'bandwidth',
      title: bandwidth,
      of: (side) => ({
        past: (history) => rate(history, 'bytesRead', 'bytesWritten', side),
        live: (figures) => live(figures.bandwidth, side),
      }),
      shown: (value) => format.bytesPerSecond(value),
    },
    {
      key: 'latency',
      title: latency,
      of: (side) => ({
        past: (history) => latencies(history, 'Latency', side),
        live: (figures) => liveLatency(figures, side),
      }),
      shown: (value) => time(value, format),
    },
  ];
}

/** A part of a latency. */
export interface Part {
  name: string;
  of: (side: Side) => Gauge;
}

/** The parts of a latency: together they are the whole. The stream has those of reads and writes together. */
export function partsOf(text: Text): readonly Part[] {
  const { device, queue, limit } = text.overview;
  return [
    { name: device, of: (side) => part('Device', side, (figures) => figures.device) },
    { name: queue, of: (side) => part('Queue', side, (figures) => figures.queue) },
    { name: limit, of: (side) => part('Limit', side, (figures) => figures.limit) },
  ];
}

/** The text of a latency in microseconds. */
export function time(micros: number, format: Format): string {
  return format.seconds(micros * MICROS);
}

function part(name: string, side: Side, now: (figures: LiveFigures) => number): Gauge {
  const past = (history: History) => latencies(history, name, side);
  return side === 'both'
    ? { past, live: (figures) => (isIdle(figures, side) ? null : now(figures)) }
    : { past };
}

function rate(history: History, reads: string, writes: string, side: Side): Values {
  switch (side) {
    case 'read':
      return valuesOf(history, reads);
    case 'write':
      return valuesOf(history, writes);
    case 'both':
      return sums(valuesOf(history, reads), valuesOf(history, writes));
  }
}

function latencies(history: History, name: string, side: Side): Values {
  const reads = valuesOf(history, `read${name}`);
  const writes = valuesOf(history, `write${name}`);
  switch (side) {
    case 'read':
      return reads;
    case 'write':
      return writes;
    case 'both':
      return means(reads, valuesOf(history, 'reads'), writes, valuesOf(history, 'writes'));
  }
}

function live({ read, write }: LiveFigures['iops'], side: Side): number {
  switch (side) {
    case 'read':
      return read;
    case 'write':
      return write;
    case 'both':
      return read + write;
  }
}

// The latency of no command is not zero.
function liveLatency(figures: LiveFigures, side: Side): number | null {
  if (isIdle(figures, side)) {
    return null;
  }
  return side === 'both'
    ? figures.device + figures.queue + figures.limit
    : live(figures.latency, side);
}

function isIdle({ iops }: LiveFigures, side: Side): boolean {
  return live(iops, side) === 0;
}

/** Reads and writes right now; a dash where nothing is known. */
export function nowOf(
  measure: Measure,
  newest: LiveFigures | undefined,
  { reads, writes }: { reads: string; writes: string },
): string {
  if (newest === undefined) {
    return '–';
  }
  const shown = (side: Side) => {
    const value = measure.of(side).live?.(newest) ?? null;
    return value === null ? '–' : measure.shown(value);
  };
  return `${reads} ${shown('read')} · ${writes} ${shown('write')}`;
}
