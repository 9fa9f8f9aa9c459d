import { describe, expect, it } from 'vitest';
import { drained, fed, hungry, isDone, nextOf, type Part, type Timed, unread } from './merge';

interface Entry extends Timed {
  of: string;
}

const at = (second: number): string => new Date(second * 1000).toISOString();
const entry = (of: string, second: number): Entry => ({ of, at: at(second) });

/** Reads lists that lie here by parts of two. */
function reader(lists: Record<string, readonly Entry[]>) {
  const asked: string[] = [];
  const read = async (name: string, cursor: string | undefined): Promise<Part<Entry>> => {
    asked.push(`${name} ${cursor ?? 'first'}`);
    const from = Number(cursor ?? 0);
    const list = lists[name]!;
    return {
      entries: list.slice(from, from + 2),
      next: from + 2 < list.length ? String(from + 2) : null,
    };
  };
  return { asked, read };
}

const A = [9, 7, 3, 1].map((second) => entry('a', second));
const B = [8, 6, 5].map((second) => entry('b', second));

describe('lists that are merged', () => {
  it('come in the order of their times, whatever parts they are read in', async () => {
    const { read } = reader({ a: A, b: B, c: [] });
    const { entries, rest } = await nextOf(unread<string, Entry>(['a', 'b', 'c']), 100, read);
    expect(entries.map((one) => one.at)).toEqual([9, 8, 7, 6, 5, 3, 1].map(at));
    expect(isDone(rest)).toBe(true);
  });

  it('go on where they were left', async () => {
    const { read, asked } = reader({ a: A, b: B });
    const first = await nextOf(unread<string, Entry>(['a', 'b']), 3, read);
    expect(first.entries.map((one) => one.of)).toEqual(['a', 'b', 'a']);
    expect(isDone(first.rest)).toBe(false);
    expect(asked).toEqual(['a first', 'b first']);
    const second = await nextOf(first.rest, 100, read);
    expect(second.entries.map((one) => one.of)).toEqual(['b', 'b', 'a', 'a']);
  });

  it('wait for a list whose next entry is not known', () => {
    const sources = fed(unread<string, Entry>(['a', 'b']), 'a', { entries: [A[0]!], next: '1' });
    expect(hungry(sources).map(({ name }) => name)).toEqual(['b']);
    const both = fed(sources, 'b', { entries: B, next: null });
    const { entries, rest } = drained(both, 100);
    expect(entries).toEqual([A[0]]);
    expect(hungry(rest).map(({ name }) => name)).toEqual(['a']);
  });

  it('go on behind a part that is empty', async () => {
    const parts: Part<Entry>[] = [
      { entries: [], next: '1' },
      { entries: [A[0]!], next: null },
    ];
    const { entries } = await nextOf(unread<string, Entry>(['a']), 5, async () => parts.shift()!);
    expect(entries).toEqual([A[0]]);
  });

  it('have the digits of a second in order, however many there are', () => {
    const early = { of: 'a', at: '2026-11-20T10:00:00Z' };
    const late = { of: 'b', at: '2026-11-20T10:00:00.123456Z' };
    const begun = fed(unread<string, Entry>(['a', 'b']), 'a', { entries: [early], next: null });
    const both = fed(begun, 'b', { entries: [late], next: null });
    expect(drained(both, 5).entries).toEqual([late, early]);
  });

  it('lose nothing if a part cannot be read', async () => {
    const sources = unread<string, Entry>(['a']);
    await expect(nextOf(sources, 5, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    const { entries } = await nextOf(sources, 5, reader({ a: A }).read);
    expect(entries).toEqual(A);
  });
});
