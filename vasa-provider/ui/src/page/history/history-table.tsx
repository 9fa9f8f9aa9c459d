import { Alert, Button } from '@patternfly/react-core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useRefusal } from '../../kit/action-button';
import { type Column, DataTable } from '../../kit/data-table';
import { Time } from '../../kit/figure';
import { Mark } from '../../kit/mark';
import { ProblemAlert } from '../../kit/problem-alert';
import { useUrlState } from '../../kit/url-state';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { AuditCheck } from './audit-check';
import { actorOf, type Entry, type Kind, sentenceOf } from './entry';
import { EntrySheet } from './entry-sheet';
import { type Filter, kindsOf } from './filter';
import { FilterBar, useFilter } from './filter-bar';
import { type Happening, headOf, joined, rowOf, statusOf, textOf } from './happening';
import { isDone, nextOf, type Source, unread } from './merge';
import { reader } from './read-entries';

const ROWS = 200;

/** Alerts, jobs, events and calls in the order of their times. */
export function HistoryTable() {
  const text = useText();
  const t = text.history;
  const [filter] = useFilter();
  const [shown, show] = useUrlState('entry', '');
  const refusal = useRefusal('GET /audit');
  const read = useEntries(filter, refusal === undefined);
  const rows = useMemo(
    () => read.data && joined(read.data.pages.flatMap((page) => page.entries)),
    [read.data],
  );
  const list = useMemo(() => rows && { rows, total: rows.length, complete: true }, [rows]);
  const columns = useMemo(() => columnsOf(text), [text]);
  const open = rows && shown !== '' ? rowOf(rows, shown) : undefined;
  return (
    <>
      <FilterBar />
      {refusal !== undefined && (
        <p className="c-quiet">
          {t.noAudit} {refusal}
        </p>
      )}
      {read.isError && <ProblemAlert error={read.error} retry={() => void read.refetch()} />}
      {rows !== undefined && shown !== '' && open === undefined && (
        <Alert isInline variant="info" title={t.notLoaded} component="p" />
      )}
      <DataTable
        label={t.list}
        list={list}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="-at"
        open={(row) => show(row.key)}
        actions={
          <>
            {read.hasNextPage && (
              <Button
                variant="secondary"
                isLoading={read.isFetchingNextPage}
                onClick={() => void read.fetchNextPage()}
              >
                {t.older}
              </Button>
            )}
            <AuditCheck />
          </>
        }
      />
      {open !== undefined && <EntrySheet row={open} close={() => show('')} />}
    </>
  );
}

/** The entries so far, as parts of the merged lists. */
function useEntries(filter: Filter, withAudit: boolean) {
  const kinds = kindsOf(filter).filter((kind) => withAudit || kind !== 'audit');
  return useInfiniteQuery({
    queryKey: ['events', 'merged', filter, withAudit],
    initialPageParam: unread<Kind, Entry>(kinds) as readonly Source<Kind, Entry>[],
    queryFn: ({ pageParam, signal }) => nextOf(pageParam, ROWS, reader(filter, signal)),
    getNextPageParam: ({ rest }) => (isDone(rest) ? undefined : rest),
  });
}

function idOf(row: Happening): string {
  return row.key;
}

function nameOf(row: Happening): string {
  return sentenceOf(headOf(row));
}

function columnsOf(text: Text): Column<Happening>[] {
  const t = text.history;
  return [
    {
      key: 'at',
      title: t.at,
      by: (row) => Date.parse(row.at),
      cell: (row) => <Time at={row.at} />,
      width: 13,
      always: true,
    },
    {
      key: 'kind',
      title: t.kind,
      by: (row) => t.kinds[headOf(row).kind],
      cell: (row) => <KindLabel row={row} text={text} />,
      width: 8,
    },
    {
      key: 'sentence',
      title: t.sentence,
      cell: (row) => <Sentence row={row} text={text} />,
      width: 14,
      grow: 4,
      always: true,
    },
    {
      key: 'actor',
      title: t.actor,
      by: who,
      cell: (row) => <span title={who(row)}>{who(row)}</span>,
      width: 9,
    },
  ];
}

function who(row: Happening): string {
  return row.entries.map(actorOf).find((name) => name !== undefined) ?? '';
}

function KindLabel({ row, text }: { row: Happening; text: Text }) {
  const status = statusOf(row);
  return (
    <Mark {...(status === undefined ? {} : { status })}>
      {text.history.kinds[headOf(row).kind]}
    </Mark>
  );
}

function Sentence({ row, text }: { row: Happening; text: Text }) {
  const [search] = useSearchParams();
  const opened = new URLSearchParams(search);
  opened.set('entry', row.key);
  const more = row.entries.filter(({ kind }) => kind === 'event').length - 1;
  return (
    <Link to={{ search: `?${opened.toString()}` }} replace title={nameOf(row)}>
      <span lang="en">{nameOf(row)}</span>
      {more > 0 && ` ${text.history.more(more)}`}
    </Link>
  );
}
