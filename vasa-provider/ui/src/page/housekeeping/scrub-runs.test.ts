import { expect, it } from 'vitest';
import { countOf, runsOf, type ScrubCell } from './scrub-runs';

const CELLS: ScrubCell[] = [
  { state: 'verified', findings: 0 },
  { state: 'verified', findings: 2 },
  { state: 'damaged', findings: 1 },
  { state: 'verified', findings: 0 },
];

it('cells of one state beside each other are one run', () => {
  expect(runsOf(CELLS)).toEqual([
    { first: 1, last: 2, state: 'verified', findings: 2 },
    { first: 3, last: 3, state: 'damaged', findings: 1 },
    { first: 4, last: 4, state: 'verified', findings: 0 },
  ]);
  expect(runsOf([])).toEqual([]);
});

it('cells are counted by their state', () => {
  expect(countOf(CELLS, 'verified')).toBe(3);
  expect(countOf(CELLS, 'free')).toBe(0);
});
