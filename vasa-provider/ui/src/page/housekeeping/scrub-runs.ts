import type { Output } from '../../api/call';

export type ScrubMap = Output<'GET /scrub/map'>;
export type ScrubCell = ScrubMap['cells'][number];
export type CellState = ScrubCell['state'];

/** The states of cells, the one that matters most first. */
export const STATES: readonly CellState[] = [
  'damaged',
  'running',
  'waiting',
  'earlier',
  'verified',
  'free',
];

/** Cells beside each other that are in the same state. */
export interface ScrubRun {
  /** The number of its first cell, from 1 on. */
  first: number;
  last: number;
  state: CellState;
  findings: number;
}

/** The cells as runs of equal ones, so that a table of them can be read. */
export function runsOf(cells: readonly ScrubCell[]): ScrubRun[] {
  const runs: ScrubRun[] = [];
  cells.forEach(({ state, findings }, i) => {
    const before = runs.at(-1);
    if (before?.state === state) {
      before.last = i + 1;
      before.findings += findings;
    } else {
      runs.push({ first: i + 1, last: i + 1, state, findings });
    }
  });
  return runs;
}

/** How many cells are in a state. */
export function countOf(cells: readonly ScrubCell[], wanted: CellState): number {
  return cells.filter(({ state }) => state === wanted).length;
}
