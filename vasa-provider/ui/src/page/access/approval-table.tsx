import { useMemo, useState } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import type { Choice } from '../../kit/picker';
import { useSelection } from '../../kit/selection';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { AskForApproval, EndApproval } from './approval-dialogs';
import { type Action, valueParts } from './approval-value';
import { useOwn } from './own';
import { namesOf, useContainerChoices } from './role-fields';

export type Approval = Output<'GET /approvals'>['items'][number];

const PAGE: PageCall<Approval> = (query) => call('GET /approvals', { query });

interface Question {
  how: 'approve' | 'refuse';
  approval: Approval;
}

/** Changes that take two accounts. */
export function ApprovalTable() {
  const text = useText();
  const format = useFormat();
  const t = text.access.approval;
  const approvals = useRows(['approvals'], PAGE);
  const containers = useContainerChoices();
  const selection = useSelection(approvals.data, idOf);
  const [creating, setCreating] = useState(false);
  const [asked, ask] = useState<Question | undefined>();
  const own = useOwn()?.name;
  const says = useMemo(() => sentences(text, format, containers), [text, format, containers]);
  const columns = useMemo(() => columnsOf(text, says), [text, says]);
  const { only } = selection;
  const notOpen = only !== undefined && only.state !== 'open' ? t.notOpen : undefined;
  return (
    <>
      <p>{t.text}</p>
      <ListTable
        label={t.title}
        query={approvals}
        columns={columns}
        idOf={idOf}
        nameOf={says}
        textOf={(row) => [says(row), row.value, row.askedBy, row.endedBy ?? '', row.id].join('\n')}
        usualSort="-asked"
        selection={selection}
        actions={
          <>
            <ActionButton operation="POST /approvals" onClick={() => setCreating(true)}>
              {t.ask}
            </ActionButton>
            {only !== undefined && (
              <>
                <ActionButton
                  operation="POST /approvals/{id}/approve"
                  variant="secondary"
                  reason={notOpen ?? (only.askedBy === own ? t.needsOther : undefined)}
                  onClick={() => ask({ how: 'approve', approval: only })}
                >
                  {t.approve}
                </ActionButton>
                <ActionButton
                  operation="POST /approvals/{id}/refuse"
                  variant="danger"
                  reason={notOpen}
                  onClick={() => ask({ how: 'refuse', approval: only })}
                >
                  {t.refuse}
                </ActionButton>
              </>
            )}
          </>
        }
      />
      {creating && <AskForApproval close={() => setCreating(false)} />}
      {asked !== undefined && (
        <EndApproval {...asked} says={says(asked.approval)} close={() => ask(undefined)} />
      )}
    </>
  );
}

function idOf(row: Approval): string {
  return row.id;
}

/** What would be changed, in words. */
function sentences(
  text: Text,
  format: Format,
  containers: readonly Choice[],
): (row: Approval) => string {
  const t = text.access.approval;
  return ({ action, value }) => {
    const { container, time } = valueParts(value);
    const what = t.actions[action as Action] ?? action;
    const where = container === undefined ? '' : ` (${namesOf([container], containers)})`;
    return `${what}${where}: ${format.duration(time)}`;
  };
}

const STATUS = { open: 'info', approved: 'success', refused: 'danger', expired: 'warning' } as const;

function columnsOf(text: Text, says: (row: Approval) => string): Column<Approval>[] {
  const t = text.access.approval;
  return [
    textColumn('action', t.action, says, { width: 14, grow: 2, always: true }),
    {
      key: 'state',
      title: t.state,
      by: (row) => t.states[row.state],
      cell: (row) => (
        <Mark status={STATUS[row.state]}>
          {t.states[row.state]}
        </Mark>
      ),
      width: 9,
      always: true,
    },
    textColumn('askedBy', t.askedBy, (row) => row.askedBy),
    timeColumn('asked', t.asked, (row) => row.asked),
    timeColumn('until', t.until, (row) => row.expires),
    textColumn('endedBy', t.endedBy, (row) => row.endedBy ?? ''),
  ];
}
