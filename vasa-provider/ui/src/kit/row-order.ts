/** The rows in whose text each word of a query is, in any case. */
export function searched<T>(
  rows: readonly T[],
  query: string,
  textOf: (row: T) => string,
): readonly T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0
    ? rows
    : rows.filter((row) => {
        const text = textOf(row).toLowerCase();
        return words.every((word) => text.includes(word));
      });
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** The rows in an order: numbers by size, texts as people expect it (`disk2` before `disk10`). */
export function sorted<T>(
  rows: readonly T[],
  by: ((row: T) => string | number) | undefined,
  largestFirst: boolean,
): readonly T[] {
  if (by === undefined) {
    return rows;
  }
  const keyed = rows.map((row) => ({ row, key: by(row) }));
  keyed.sort((a, b) => compared(a.key, b.key));
  if (largestFirst) {
    keyed.reverse();
  }
  return keyed.map(({ row }) => row);
}

function compared(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : COLLATOR.compare(String(a), String(b));
}
