import { describe, expect, it } from 'vitest';
import { countOf, parseKind } from './offload-kinds';

const reasons = [{ sense: '5h/24h/00h', sentence: 'The command asked for too much.', count: 1 }];
const unmap = { commands: 2, bytesSpared: 4096, fallBacks: 1, reasons };
const counts = {
  kinds: { unmap },
  total: { commands: 3, bytesSpared: 8192, fallBacks: 1, reasons },
};

describe('counts of offloads', () => {
  it('are of a kind, or of all', () => {
    expect(countOf(counts, 'unmap')).toEqual(unmap);
    expect(countOf(counts, undefined)).toEqual(counts.total);
  });

  it('are zero of a kind that has not come', () => {
    expect(countOf(counts, 'xcopy')).toEqual({
      commands: 0,
      bytesSpared: 0,
      fallBacks: 0,
      reasons: [],
    });
  });
});

it('a kind is one of those that REST has', () => {
  expect(parseKind('writeSame')).toBe('writeSame');
  expect(parseKind('constructor')).toBeUndefined();
});
