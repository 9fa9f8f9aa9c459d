import { Button } from '@patternfly/react-core';
import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { type Column, DataTable } from '../../kit/data-table';
import { Time } from '../../kit/figure';
import { ProblemAlert } from '../../kit/problem-alert';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';

export type RefusedLogin = Output<'GET /iscsi/refused-logins'>['items'][number];

const PAGE: PageCall<RefusedLogin> = (query) => call('GET /iscsi/refused-logins', { query });

/** Who tried to log in by iSCSI, why that was refused, and what to do. */
export function RefusedLogins() {
  const text = useText();
  const refused = useRows(['refused-logins'], PAGE);
  const columns = useMemo(() => columnsOf(text), [text]);
  return (
    <>
      {refused.isError && (
        <ProblemAlert error={refused.error} retry={() => void refused.refetch()} />
      )}
      <DataTable
        label={text.hosts.refused}
        list={refused.data}
        columns={columns}
        idOf={refusalId}
        nameOf={(row) => row.initiator ?? row.address}
        textOf={(row) => [row.initiator ?? '', row.address, row.sentence].join('\n')}
        usualSort="-last"
        actions={
          // Nothing is sent about a refusal, so that whoever tries cannot keep every page busy.
          <Button variant="secondary" onClick={() => void refused.refetch()}>
            {text.hosts.readAgain}
          </Button>
        }
      />
    </>
  );
}

export function refusalId(row: RefusedLogin): string {
  return [row.address, row.initiator, row.target, row.sentence].join(' ');
}

function columnsOf(text: Text): Column<RefusedLogin>[] {
  const t = text.hosts;
  return [
    {
      key: 'last',
      title: t.last,
      by: (row) => row.last,
      cell: (row) => <Time at={row.last} />,
      width: 13,
    },
    {
      key: 'initiator',
      title: t.initiator,
      by: (row) => row.initiator ?? '',
      cell: (row) => <span title={row.initiator ?? ''}>{row.initiator ?? text.common.unknown}</span>,
      width: 12,
      grow: 2,
      always: true,
    },
    { key: 'address', title: t.address, by: (row) => row.address, cell: (row) => row.address, width: 10 },
    {
      key: 'sentence',
      title: t.why,
      cell: (row) => (
        <span lang="en" title={`${row.sentence} ${row.remedy}`}>
          {row.sentence} {row.remedy}
        </span>
      ),
      width: 14,
      grow: 4,
      always: true,
    },
    {
      key: 'times',
      title: t.times,
      by: (row) => row.times,
      cell: (row) => row.times,
      width: 6,
      right: true,
    },
  ];
}
