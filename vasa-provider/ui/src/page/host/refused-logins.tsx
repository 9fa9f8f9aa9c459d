import { Button } from '@patternfly/react-core';
import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { countColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
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
    <ListTable
      label={text.hosts.refused}
      query={refused}
      columns={columns}
      idOf={refusalId}
      nameOf={nameOf}
      textOf={textOf}
      usualSort="-last"
      actions={
        // Nothing is sent about a refusal, so that whoever tries cannot keep every page busy.
        <Button variant="secondary" onClick={() => void refused.refetch()}>
          {text.hosts.readAgain}
        </Button>
      }
    />
  );
}

export function refusalId(row: RefusedLogin): string {
  return [row.address, row.initiator, row.target, row.sentence].join(' ');
}

function nameOf(row: RefusedLogin): string {
  return row.initiator ?? row.address;
}

function textOf(row: RefusedLogin): string {
  return [row.initiator ?? '', row.address, row.sentence].join('\n');
}

function columnsOf(text: Text): Column<RefusedLogin>[] {
  const t = text.hosts;
  return [
    timeColumn('last', t.last, (row) => row.last),
    textColumn('initiator', t.initiator, (row) => row.initiator ?? text.common.unknown, {
      width: 12,
      grow: 2,
      always: true,
    }),
    textColumn('address', t.address, (row) => row.address, { width: 10 }),
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
    countColumn('times', t.times, (row) => row.times, { width: 6 }),
  ];
}
