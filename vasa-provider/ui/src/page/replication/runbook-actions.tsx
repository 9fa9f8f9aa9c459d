import { Checkbox, Content } from '@patternfly/react-core';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { call, type Call, type OperationKey } from '../../api/call';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import { useReadAgain } from './replication';
import { EditRunbook } from './runbook-forms';
import type { Runbook } from './runbooks';

type Action = 'check' | 'test' | 'endTest' | 'run' | 'edit' | 'remove';

const OPERATIONS: Record<Action, OperationKey> = {
  check: 'POST /replication/runbooks/{id}/check',
  test: 'POST /replication/runbooks/{id}/test',
  endTest: 'DELETE /replication/runbooks/{id}/test',
  run: 'POST /replication/runbooks/{id}/run',
  edit: 'PATCH /replication/runbooks/{id}',
  remove: 'DELETE /replication/runbooks/{id}',
};

const DANGEROUS: ReadonlySet<Action> = new Set(['run', 'remove']);

interface Props {
  runbook: Runbook;
  /** Whether a test of it is to be ended. */
  hasTest: boolean;
}

/** What may be done with a runbook. */
export function RunbookActions({ runbook, hasTest }: Props) {
  const t = useText().runbooks;
  const [asked, setAsked] = useState<Action | undefined>();
  const isBusy = runbook.goesOn !== null;
  const actions: readonly Action[] = hasTest
    ? ['endTest', 'check']
    : isBusy
      ? ['check']
      : ['check', 'test', 'run', 'edit', 'remove'];
  const close = () => setAsked(undefined);
  return (
    <>
      <div className="c-actions">
        {actions.map((action, i) => (
          <ActionButton
            key={action}
            operation={OPERATIONS[action]}
            variant={DANGEROUS.has(action) ? 'danger' : i === 0 ? 'primary' : 'secondary'}
            onClick={() => setAsked(action)}
          >
            {t.actions[action]}
          </ActionButton>
        ))}
      </div>
      {asked === 'edit' && <EditRunbook runbook={runbook} close={close} />}
      {asked !== undefined && asked !== 'edit' && (
        <AskFor action={asked} runbook={runbook} close={close} />
      )}
    </>
  );
}

/** The question before an action. */
function AskFor(props: { action: Exclude<Action, 'edit'>; runbook: Runbook; close: () => void }) {
  const { action, runbook, close } = props;
  const t = useText().runbooks;
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  const checkbox = useId();
  const [planned, setPlanned] = useState(false);
  const wanted = callOf(action, runbook.id, planned);
  return (
    <Ask
      title={t[action].title(runbook.name)}
      action={t.actions[action]}
      danger={DANGEROUS.has(action)}
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t[action].done(runbook.name));
        close();
        if (action === 'remove') {
          void navigate('/replication?tab=runbooks');
        }
        readAgain();
      }}
      close={close}
    >
      <Content component="p">{t[action].text}</Content>
      {action === 'run' && (
        <Checkbox
          id={checkbox}
          label={t.planned}
          description={t.plannedHelp}
          isChecked={planned}
          onChange={(_, is) => setPlanned(is)}
        />
      )}
    </Ask>
  );
}

function callOf(action: Exclude<Action, 'edit'>, id: string, planned: boolean): Call {
  const path = { id };
  switch (action) {
    case 'check':
      return call('POST /replication/runbooks/{id}/check', { path });
    case 'test':
      return call('POST /replication/runbooks/{id}/test', { path });
    case 'endTest':
      return call('DELETE /replication/runbooks/{id}/test', { path });
    case 'run':
      return call('POST /replication/runbooks/{id}/run', {
        path,
        body: planned ? { planned } : {},
      });
    case 'remove':
      return call('DELETE /replication/runbooks/{id}', { path });
  }
}
