import { Button, PageSection, Title } from '@patternfly/react-core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, type Output } from '../api/call';
import { send } from '../api/send';
import { type Column, DataTable } from '../kit/data-table';
import { Time } from '../kit/figure';
import { ProblemAlert } from '../kit/problem-alert';
import { useText } from '../text/preferences';

type Occurrence = Output<'GET /events'>['items'][number];

const PAGE = 200;

/** What happened, the newest first; older ones are read when they are asked for. */
export default function EventsPage() {
  const text = useText();
  const events = useInfiniteQuery({
    queryKey: ['events'],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      send(call('GET /events', { query: { limit: PAGE, cursor: pageParam } }), signal),
    getNextPageParam: (page) => (page.next === null ? undefined : Number(page.next)),
  });
  const list = useMemo(() => {
    const rows = events.data?.pages.flatMap((page) => page.items);
    return rows && { rows, total: rows.length, complete: true };
  }, [events.data]);
  const columns = useMemo<Column<Occurrence>[]>(
    () => [
      {
        key: 'at',
        title: text.events.at,
        by: (row) => row.id,
        cell: (row) => <Time at={row.at} />,
        width: 13,
        always: true,
      },
      {
        key: 'sentence',
        title: text.events.sentence,
        cell: (row) => (
          <span lang="en" title={row.sentence}>
            {row.sentence}
          </span>
        ),
        width: 14,
        grow: 4,
        always: true,
      },
      {
        key: 'actor',
        title: text.events.actor,
        by: (row) => row.actor?.name ?? '',
        cell: (row) => row.actor?.name ?? '',
        width: 9,
      },
      {
        key: 'type',
        title: text.events.type,
        by: (row) => row.type,
        cell: (row) => row.type,
        width: 9,
      },
    ],
    [text],
  );
  return (
    <>
      <PageSection>
        <Title headingLevel="h1">{text.events.title}</Title>
      </PageSection>
      <PageSection isFilled>
        {events.isError && (
          <ProblemAlert error={events.error} retry={() => void events.refetch()} />
        )}
        <DataTable
          label={text.events.title}
          list={list}
          columns={columns}
          idOf={(row) => String(row.id)}
          nameOf={(row) => row.sentence}
          textOf={textOf}
          usualSort="-at"
          actions={
            events.hasNextPage && (
              <Button
                variant="secondary"
                isLoading={events.isFetchingNextPage}
                onClick={() => void events.fetchNextPage()}
              >
                {text.events.more}
              </Button>
            )
          }
        />
      </PageSection>
    </>
  );
}

function textOf(row: Occurrence): string {
  return [row.sentence, row.actor?.name ?? '', row.objectId ?? '', row.type, ...row.vvols].join('\n');
}
