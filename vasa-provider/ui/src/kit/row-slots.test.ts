import { describe, expect, it } from 'vitest';
import { RowSlots } from './row-slots';

function shown(slots: RowSlots, ids: readonly string[]): (string | undefined)[] {
  return slots.assign(ids).map((index) => (index === undefined ? undefined : ids[index]));
}

describe('RowSlots', () => {
  it('gives a new row the place of one that left', () => {
    const slots = new RowSlots();
    expect(shown(slots, ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
    expect(shown(slots, ['b', 'c', 'd'])).toEqual(['d', 'b', 'c']);
    expect(shown(slots, ['c', 'd', 'e'])).toEqual(['d', 'e', 'c']);
  });

  it('keeps each row where it is when the order changes', () => {
    const slots = new RowSlots();
    slots.assign(['a', 'b', 'c']);
    expect(shown(slots, ['c', 'x', 'a'])).toEqual(['a', 'x', 'c']);
  });

  it('leaves places empty where fewer rows are seen, and fills them again', () => {
    const slots = new RowSlots();
    slots.assign(['a', 'b', 'c']);
    expect(shown(slots, ['b'])).toEqual([undefined, 'b', undefined]);
    expect(shown(slots, ['b', 'y', 'z', 'w'])).toEqual(['y', 'b', 'z', 'w']);
  });

  it('answers the same when it is asked twice', () => {
    const slots = new RowSlots();
    slots.assign(['a', 'b', 'c']);
    const once = slots.assign(['c', 'd', 'e']);
    expect(slots.assign(['c', 'd', 'e'])).toEqual(once);
  });
});
