import { Alert, Button } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { countColumn, sentenceColumn, textColumn, timeColumn } from '../../kit/columns';
import { type Column, DataTable } from '../../kit/data-table';
import { ProblemAlert } from '../../kit/problem-alert';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';

type RefusedClient = Output<'GET /refused-clients'>['items'][number];

/** More than the server keeps. */
const LIMIT = 1000;

/** Clients of VASA that were refused, why, and what to do. */
export function RefusedTable() {
  const text = useText();
  const t = text.vcenters;
  // Nothing is sent about a refusal, so that whoever tries cannot keep every page busy.
  const refused = useQuery({
    queryKey: ['refused-clients'],
    refetchOnMount: 'always',
    queryFn: ({ signal }) => send(call('GET /refused-clients', { query: { limit: LIMIT } }), signal),
  });
  const data = refused.data;
  const list = useMemo(
    () => data && { rows: data.items, total: data.items.length, complete: true },
    [data],
  );
  const columns = useMemo(() => columnsOf(text), [text]);
  return (
    <>
      {refused.isError && (
        <ProblemAlert error={refused.error} retry={() => void refused.refetch()} />
      )}
      {data !== undefined && (
        <p>
          {t.trusted(data.trusted.length === 0 ? t.nobody : data.trusted.join('; '))} {t.more}
        </p>
      )}
      {data !== undefined && data.items.length > 0 && (
        <Newest row={data.items.reduce((a, b) => (b.last > a.last ? b : a))} />
      )}
      <DataTable
        label={t.refused}
        list={list}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => row.subject ?? row.address}
        textOf={(row) => [row.address, row.subject ?? '', row.issuer ?? '', row.reason].join('\n')}
        usualSort="-last"
        actions={
          <Button
            variant="secondary"
            isLoading={refused.isFetching}
            onClick={() => void refused.refetch()}
          >
            {t.readAgain}
          </Button>
        }
      />
    </>
  );
}

/** The last refusal in full: the reason, and what to do. */
function Newest({ row }: { row: RefusedClient }) {
  return (
    <Alert
      isInline
      variant="warning"
      component="p"
      title={<span lang="en">{`${row.subject ?? row.address}: ${row.reason}`}</span>}
      data-refused="newest"
    >
      <span lang="en">{row.remedy}</span>
    </Alert>
  );
}

function idOf(row: RefusedClient): string {
  return [row.address, row.subject, row.issuer, row.validUntil].join(' ');
}

function columnsOf(text: Text): Column<RefusedClient>[] {
  const t = text.vcenters;
  return [
    timeColumn('last', t.last, (row) => row.last),
    textColumn('address', t.address, (row) => row.address, { always: true }),
    textColumn('client', t.client, (row) => row.subject ?? t.noCertificate, { grow: 1 }),
    sentenceColumn('reason', t.reason, (row) => row.reason, { always: true }),
    sentenceColumn('remedy', t.todo, (row) => row.remedy, { always: true }),
    countColumn('times', t.times, (row) => row.times, { width: 6 }),
    textColumn('issuer', t.issuer, (row) => row.issuer ?? ''),
    timeColumn('until', t.validUntil, (row) => row.validUntil),
    timeColumn('first', t.first, (row) => row.first),
  ];
}
