import { expect, it } from 'vitest';
import { added } from './difference-map';

it('the parts of a map of differences are added cell by cell', () => {
  const part = (cells: number[], next: string | null) => ({
    cells,
    bytes: cells.reduce((sum, bytes) => sum + bytes, 0),
    next,
    size: 12,
    sinceSize: null,
  });
  expect(added(part([4, 0, 1], 'more'), part([0, 2, 3], null))).toEqual({
    cells: [4, 2, 4],
    bytes: 10,
    next: null,
    size: 12,
    sinceSize: null,
  });
});
