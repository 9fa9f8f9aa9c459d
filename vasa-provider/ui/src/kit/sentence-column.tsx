import type { Column } from './data-table';

/** A column of sentences of the server, which are English; empty where there is none. */
export function sentenceColumn<T>(
  key: string,
  title: string,
  by: (row: T) => string | null | undefined,
): Column<T> {
  const cell = (row: T) => {
    const sentence = by(row);
    return (
      sentence && (
        <span lang="en" title={sentence}>
          {sentence}
        </span>
      )
    );
  };
  return { key, title, by: (row) => by(row) ?? '', cell, width: 10, grow: 3 };
}
