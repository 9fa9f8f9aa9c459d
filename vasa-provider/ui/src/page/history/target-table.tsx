import { useMemo, useState } from 'react';
import { call } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { countColumn, nameColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import { useSelection } from '../../kit/selection';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { DeleteTarget, EditTarget, NewTarget } from './target-dialogs';
import type { AlertTarget } from './target-draft';
import { useTargetTest } from './target-test';

const PAGE: PageCall<AlertTarget> = (query) => call('GET /alert-targets', { query });

/** Where alerts are sent: webhooks and mail servers. */
export function TargetTable() {
  const text = useText();
  const t = text.history.target;
  const targets = useRows(['alert-targets'], PAGE);
  const selection = useSelection(targets.data, idOf);
  const [creating, setCreating] = useState(false);
  const [changing, setChanging] = useState<AlertTarget | undefined>();
  const [deleting, setDeleting] = useState<AlertTarget | undefined>();
  const test = useTargetTest();
  const columns = useMemo(() => columnsOf(text), [text]);
  const { only } = selection;
  return (
    <>
      <ListTable
        label={text.history.targets}
        query={targets}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => row.name}
        textOf={textOf}
        usualSort="name"
        selection={selection}
        actions={
          <>
            <ActionButton operation="POST /alert-targets" onClick={() => setCreating(true)}>
              {t.create}
            </ActionButton>
            {only !== undefined && (
              <>
                <ActionButton
                  operation="PATCH /alert-targets/{id}"
                  variant="secondary"
                  onClick={() => setChanging(only)}
                >
                  {t.change}
                </ActionButton>
                <ActionButton
                  operation="POST /alert-targets/{id}/test"
                  variant="secondary"
                  isLoading={test.isPending}
                  onClick={() => test.mutate(only)}
                >
                  {t.test}
                </ActionButton>
                <ActionButton
                  operation="DELETE /alert-targets/{id}"
                  variant="danger"
                  onClick={() => setDeleting(only)}
                >
                  {text.common.delete}
                </ActionButton>
              </>
            )}
          </>
        }
      />
      {creating && <NewTarget close={() => setCreating(false)} />}
      {changing !== undefined && (
        <EditTarget target={changing} close={() => setChanging(undefined)} />
      )}
      {deleting !== undefined && (
        <DeleteTarget target={deleting} close={() => setDeleting(undefined)} />
      )}
    </>
  );
}

function idOf(row: AlertTarget): string {
  return row.id;
}

function textOf(row: AlertTarget): string {
  return [row.name, row.id, row.kind, row.server, ...(row.to ?? [])].join('\n');
}

function columnsOf(text: Text): Column<AlertTarget>[] {
  const t = text.history.target;
  return [
    nameColumn(t.name, (row) => row.name),
    textColumn('kind', t.kind, (row) => t.kinds[row.kind], { width: 7 }),
    textColumn('server', t.server, (row) => row.server, { width: 12, grow: 1 }),
    textColumn('severity', t.severity, (row) => text.history.severities[row.severity], { width: 7 }),
    {
      key: 'enabled',
      title: t.enabled,
      by: (row) => Number(row.enabled),
      cell: (row) => (row.enabled ? text.common.yes : <Mark>{text.common.no}</Mark>),
      width: 8,
      always: true,
    },
    countColumn('waiting', t.waiting, (row) => row.waiting),
    countColumn('lost', t.lost, (row) => row.lost),
    timeColumn('delivered', t.delivered, (row) => row.delivered),
    {
      key: 'obstacle',
      title: t.obstacle,
      by: (row) => row.obstacle ?? '',
      cell: (row) => (
        <span lang="en" title={row.obstacle ?? ''}>
          {row.obstacle}
        </span>
      ),
      width: 10,
      grow: 2,
    },
  ];
}
