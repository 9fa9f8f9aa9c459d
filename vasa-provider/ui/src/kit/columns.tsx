import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Format } from '../text/format';
import type { Column } from './data-table';
import { Time } from './figure';

type Rest<T> = Partial<Omit<Column<T>, 'key' | 'title' | 'by'>>;

/** A column of short texts. */
export function textColumn<T>(
  key: string,
  title: string,
  by: (row: T) => string,
  rest: Rest<T> = {},
): Column<T> {
  const cell = (row: T) => <span title={by(row)}>{by(row)}</span>;
  return { key, title, by, cell, width: 9, ...rest };
}

/** The column of names, each a link to its object's page. */
export function linkColumn<T>(
  title: string,
  by: (row: T) => string,
  to: (row: T) => string,
  rest: Rest<T> = {},
): Column<T> {
  const cell = (row: T): ReactNode => (
    <Link to={to(row)} title={by(row)}>
      {by(row)}
    </Link>
  );
  return { key: 'name', title, by, cell, width: 12, grow: 2, always: true, ...rest };
}

/** The column of names of what has no page of its own. */
export function nameColumn<T>(title: string, by: (row: T) => string, rest: Rest<T> = {}): Column<T> {
  return textColumn('name', title, by, { width: 12, grow: 2, always: true, ...rest });
}

/** The column of names of which some are links: those of objects that have a page. */
export function linkOrNameColumn<T>(
  title: string,
  by: (row: T) => string,
  to: (row: T) => string | null,
  rest: Rest<T> = {},
): Column<T> {
  return nameColumn(title, by, {
    ...rest,
    cell: (row) => {
      const page = to(row);
      return page === null ? (
        <span title={by(row)}>{by(row)}</span>
      ) : (
        <Link to={page} title={by(row)}>
          {by(row)}
        </Link>
      );
    },
  });
}

export function countColumn<T>(
  key: string,
  title: string,
  by: (row: T) => number,
  rest: Rest<T> = {},
): Column<T> {
  return { key, title, by, cell: by, width: 7, right: true, ...rest };
}

export function bytesColumn<T>(
  key: string,
  title: string,
  by: (row: T) => number,
  format: Format,
  rest: Rest<T> = {},
): Column<T> {
  return { key, title, by, cell: (row) => format.bytes(by(row)), width: 8, right: true, ...rest };
}

/** A column of times; empty where there is none. */
export function timeColumn<T>(
  key: string,
  title: string,
  by: (row: T) => string | null | undefined,
  rest: Rest<T> = {},
): Column<T> {
  const cell = (row: T): ReactNode => {
    const at = by(row);
    return at === null || at === undefined ? '' : <Time at={at} />;
  };
  return { key, title, by: (row) => by(row) ?? '', cell, width: 13, ...rest };
}

/** A column of sentences of the server, which are English; empty where there is none. */
export function sentenceColumn<T>(
  key: string,
  title: string,
  by: (row: T) => string | null | undefined,
  rest: Rest<T> = {},
): Column<T> {
  const cell = (row: T): ReactNode => {
    const sentence = by(row);
    return (
      sentence && (
        <span lang="en" title={sentence}>
          {sentence}
        </span>
      )
    );
  };
  return { key, title, by: (row) => by(row) ?? '', cell, width: 10, grow: 3, ...rest };
}
