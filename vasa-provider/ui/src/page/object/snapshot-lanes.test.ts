import { describe, expect, it } from 'vitest';
import { lanesOf, type Node } from './snapshot-lanes';

function node(id: string, basedOn: string | null): Node {
  return { id, basedOn, created: `2026-11-01T12:00:0${id}Z` };
}

describe('the lanes of snapshots', () => {
  it('are one for a chain', () => {
    const lanes = lanesOf([node('3', '2'), node('1', null), node('2', '1')]);
    expect([...lanes.values()]).toEqual([0, 0, 0]);
  });

  it('are one more for each branch', () => {
    const lanes = lanesOf([
      node('1', null),
      node('2', '1'),
      node('3', '1'),
      node('4', '3'),
      node('5', '1'),
    ]);
    expect(Object.fromEntries(lanes)).toEqual({ 1: 0, 2: 0, 3: 1, 4: 1, 5: 2 });
  });

  it('begin anew where what was before is gone', () => {
    expect(lanesOf([node('2', '1'), node('3', '2')])).toEqual(
      new Map([
        ['2', 0],
        ['3', 0],
      ]),
    );
  });

  it('hold a chain of ten thousand', () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => ({
      id: String(i),
      basedOn: i === 0 ? null : String(i - 1),
      created: new Date(i * 1000).toISOString(),
    }));
    expect(lanesOf(chain).size).toBe(10_000);
  });
});
