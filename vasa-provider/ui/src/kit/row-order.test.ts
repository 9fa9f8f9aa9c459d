import { describe, expect, it } from 'vitest';
import { searched, sorted } from './row-order';

const names = ['disk10', 'Disk2', 'data <b>', 'disk1'];

describe('a search', () => {
  it.each([
    ['', names],
    ['DISK', ['disk10', 'Disk2', 'disk1']],
    ['disk 1', ['disk10', 'disk1']],
    ['<b>', ['data <b>']],
    ['.*', []],
    ['  ', names],
  ])('for "%s" finds what has each word', (query, found) => {
    expect(searched(names, query, (name) => name)).toEqual(found);
  });
});

describe('an order', () => {
  it('of texts counts numbers in them', () => {
    expect(sorted(names, (name) => name, false)).toEqual(['data <b>', 'disk1', 'Disk2', 'disk10']);
  });

  it('of numbers can have the largest first', () => {
    expect(sorted([2, 10, 1], (n) => n, true)).toEqual([10, 2, 1]);
  });

  it('leaves the rows that it was given as they are', () => {
    const rows = [2, 1];
    sorted(rows, (n) => n, false);
    expect(rows).toEqual([2, 1]);
  });
});
