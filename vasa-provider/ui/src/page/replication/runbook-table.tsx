import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { countColumn, linkColumn, sentenceColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { runbookDraft } from './runbook-draft';
import { CreateRunbook } from './runbook-forms';
import { RunMark, runWord } from './runbook-marks';
import { type Runbook, runbookPath, RUNBOOKS, RUNBOOKS_KEY } from './runbooks';

/** All runbooks, each with its last test. */
export function RunbookTable() {
  const text = useText();
  const navigate = useNavigate();
  const runbooks = useRows(RUNBOOKS_KEY, RUNBOOKS);
  const [creating, setCreating] = useState(false);
  const columns = useMemo(() => columnsOf(text), [text]);
  return (
    <>
      <ListTable
        query={runbooks}
        label={text.runbooks.title}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={nameOf}
        textOf={({ id, name, testState, testSentence }) =>
          [name, id, testState, testSentence].join('\n')
        }
        usualSort="name"
        open={(row) => void navigate(runbookPath(row))}
        actions={
          <ActionButton operation="POST /replication/runbooks" onClick={() => setCreating(true)}>
            {text.runbooks.create}
          </ActionButton>
        }
      />
      {creating && <CreateRunbook close={() => setCreating(false)} />}
    </>
  );
}

function nameOf({ name }: Runbook): string {
  return name;
}

function columnsOf(text: Text): Column<Runbook>[] {
  const t = text.runbooks;
  return [
    linkColumn(t.fields.name, nameOf, runbookPath, { width: 9 }),
    countColumn('steps', t.fields.steps, ({ steps }: Runbook) => steps.length),
    textColumn('schedule', t.fields.schedule, (row: Runbook) => runbookDraft(row).schedule, {
      grow: 1,
    }),
    timeColumn('tested', t.tested, ({ tested }: Runbook) => tested),
    {
      key: 'testState',
      title: t.testState,
      by: ({ testState }) => runWord(testState ?? '', text),
      cell: ({ testState }) =>
        testState === null ? (
          <span className="c-quiet">{t.untested}</span>
        ) : (
          <RunMark state={testState} />
        ),
      width: 9,
      always: true,
    },
    sentenceColumn('why', t.why, ({ testSentence }: Runbook) => testSentence),
  ];
}
