import { useMemo } from 'react';
import { accessTo } from '../../api/access';
import type { OwnSession } from '../../api/session';
import { textColumn } from '../../kit/columns';
import { type Column, DataTable } from '../../kit/data-table';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { useOwn } from './own';
import { type OperationRow, operationRows } from './roles';

const ROWS = operationRows();
const LIST = { rows: ROWS, total: ROWS.length, complete: true };

/** All operations of the API, and which role each takes. */
export function OperationTable() {
  const text = useText();
  const t = text.access.operations;
  const own = useOwn();
  const columns = useMemo(() => columnsOf(text, own), [text, own]);
  return (
    <>
      <p>{t.text}</p>
      <DataTable
        label={t.title}
        list={LIST}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => row.summary}
        textOf={(row) => [row.summary, row.key, row.role ?? ''].join('\n')}
        usualSort="operation"
      />
    </>
  );
}

function idOf(row: OperationRow): string {
  return row.key;
}

/** The path before the method: what is about the same things stands together. */
function byPath({ key }: OperationRow): string {
  const [method, path] = key.split(' ');
  return `${path} ${method}`;
}

function columnsOf(text: Text, own: OwnSession | undefined): Column<OperationRow>[] {
  const t = text.access.operations;
  const yes = (is: boolean) => (is ? text.common.yes : '');
  return [
    {
      key: 'what',
      title: t.what,
      by: (row) => row.summary,
      cell: (row) => (
        <span lang="en" title={row.summary}>
          {row.summary}
        </span>
      ),
      width: 13,
      grow: 3,
      always: true,
    },
    {
      key: 'operation',
      title: t.operation,
      by: byPath,
      cell: (row) => <code title={row.key}>{row.key}</code>,
      width: 13,
      grow: 2,
    },
    textColumn('role', t.needed, (row) => row.role ?? t.nothing, { always: true }),
    textColumn('volumeAdmin', t.volumeAdmin, (row) => yes(row.volumeAdmin)),
    textColumn('ownAccount', t.ownAccount, (row) => yes(row.ownAccount)),
    textColumn('mine', t.mine, (row) =>
      own !== undefined && accessTo(own, row.key).allowed ? text.common.yes : text.common.no,
    ),
  ];
}
