import { describe, expect, it } from 'vitest';
import { patched } from './lists';

const list = { rows: [{ id: 'a', n: 1 }, { id: 'b', n: 1 }], total: 2, complete: true };

describe('a list that one object of has changed', () => {
  it('has the object as it is now, in its place', () => {
    expect(patched(list, 'a', { id: 'a', n: 2 })).toEqual({
      ...list,
      rows: [{ id: 'a', n: 2 }, { id: 'b', n: 1 }],
    });
  });

  it('has a new one at its end', () => {
    expect(patched(list, 'c', { id: 'c', n: 1 })).toEqual({
      rows: [...list.rows, { id: 'c', n: 1 }],
      total: 3,
      complete: true,
    });
  });

  it('is without what is gone', () => {
    expect(patched(list, 'a', undefined)).toEqual({ ...list, rows: [{ id: 'b', n: 1 }], total: 1 });
  });

  it('stays as it is if what is gone was not there', () => {
    expect(patched(list, 'x', undefined)).toBe(list);
  });
});
