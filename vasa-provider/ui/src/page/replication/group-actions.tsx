import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { OperationKey } from '../../api/call';
import { ActionButton } from '../../kit/action-button';
import { useText } from '../../text/preferences';
import { FailOver, StartTest } from './fail-over';
import { EditGroup } from './group-forms';
import type { Group, Replica } from './replication';
import { AskFor, Synchronize } from './role-forms';
import { type Action, actionsOf } from './state';

const OPERATIONS: Record<Action, OperationKey> = {
  synchronize: 'POST /replication/groups/{id}/synchronize',
  prepare: 'POST /replication/groups/{id}/prepare',
  pause: 'PATCH /replication/groups/{id}',
  resume: 'PATCH /replication/groups/{id}',
  edit: 'PATCH /replication/groups/{id}',
  test: 'POST /replication/groups/{id}/test',
  failOver: 'POST /replication/groups/{id}/fail-over',
  endTest: 'DELETE /replication/groups/{id}/test',
  promote: 'POST /replication/groups/{id}/promote',
  reverse: 'POST /replication/groups/{id}/reverse',
  remove: 'DELETE /replication/groups/{id}',
};

const DANGEROUS: ReadonlySet<Action> = new Set(['failOver', 'remove']);

interface Props {
  group: Group;
  peer: string;
  replicas: readonly Replica[];
}

/** What may be done with a group in its state. */
export function GroupActions({ group, peer, replicas }: Props) {
  const t = useText().replication;
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Action | undefined>();
  const close = () => setAsked(undefined);
  return (
    <>
      <div className="c-actions">
        {actionsOf(group).map((action, i) => (
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
      {dialog()}
    </>
  );

  function dialog() {
    switch (asked) {
      case undefined:
        return null;
      case 'synchronize':
        return <Synchronize group={group} close={close} />;
      case 'edit':
        return <EditGroup group={group} close={close} />;
      case 'test':
        return <StartTest group={group} replicas={replicas} close={close} />;
      case 'failOver':
        return <FailOver group={group} peer={peer} replicas={replicas} close={close} />;
      default:
        return (
          <AskFor
            action={asked}
            group={group}
            peer={peer}
            gone={() => void navigate('/replication')}
            close={close}
          />
        );
    }
  }
}
