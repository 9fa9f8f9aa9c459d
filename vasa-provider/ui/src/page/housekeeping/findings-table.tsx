import { useMemo } from 'react';
import { Link } from 'react-router';
import { timeColumn } from '../../kit/columns';
import { type Column, DataTable } from '../../kit/data-table';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { type ScrubState, useScrub } from './scrub-card';

type Finding = ScrubState['findings'][number];

/** All damage that is known, if any is. */
export function FindingsTable() {
  const text = useText();
  const t = text.housekeeping.damage;
  const { data } = useScrub();
  const columns = useMemo(() => columnsOf(text), [text]);
  const list = useMemo(
    () => data && { rows: data.findings, total: data.findings.length, complete: true },
    [data],
  );
  return (
    list !== undefined &&
    list.total > 0 && (
      <DataTable
        label={t.findings}
        list={list}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => row.sentence}
        textOf={(row) => `${row.sentence}\n${row.volume ?? ''}`}
        usualSort="-found"
      />
    )
  );
}

function idOf(row: Finding): string {
  return [row.volume, row.lba, row.found, row.sentence].join(' ');
}

function columnsOf(text: Text): Column<Finding>[] {
  const t = text.housekeeping.damage;
  return [
    timeColumn('found', t.found, (row) => row.found),
    {
      key: 'sentence',
      title: t.sentence,
      by: (row) => row.sentence,
      cell: (row) => (
        <span lang="en" title={row.sentence}>
          {row.sentence}
        </span>
      ),
      width: 12,
      grow: 3,
      always: true,
    },
    {
      key: 'volume',
      title: t.volume,
      by: (row) => row.volume ?? '',
      cell: (row) =>
        row.volume === null ? t.ofPool : <Link to={`/volumes/${row.volume}`}>{row.volume}</Link>,
      width: 11,
      grow: 1,
      always: true,
    },
    {
      key: 'block',
      title: t.block,
      by: (row) => row.lba ?? -1,
      cell: (row) => row.lba ?? '',
      width: 8,
      right: true,
    },
    {
      key: 'replaced',
      title: t.replaced,
      by: (row) => Number(row.replaced),
      cell: (row) => (row.replaced ? text.common.yes : text.common.no),
      width: 9,
    },
  ];
}
