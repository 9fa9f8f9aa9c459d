import { Button } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { countColumn, nameColumn, sentenceColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import { useSelection } from '../../kit/selection';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { CreateGroup, DeleteGroup, EditGroup, TakePoint } from './group-forms';
import { GroupMembers } from './group-members';
import { type Group, GROUPS, KEYS, POLICIES } from './protection';

type Asked = 'create' | 'edit' | 'delete' | 'take' | 'members';

/** All protection groups: when each was protected last, and when it will be. */
export function GroupTable() {
  const text = useText();
  const groups = useRows(KEYS.groups, GROUPS);
  const policies = usePolicyNames();
  const selection = useSelection(groups.data, idOf);
  const [asked, setAsked] = useState<Asked | undefined>();
  const columns = useMemo(() => columnsOf(policies, text), [policies, text]);
  const close = () => setAsked(undefined);
  const only = selection.only;
  return (
    <>
      <ListTable
        query={groups}
        label={text.protection.groups}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="name"
        selection={selection}
        open={(row) => {
          selection.set(new Set([row.id]));
          setAsked('members');
        }}
        actions={
          <>
            <ActionButton operation="POST /protection-groups" onClick={() => setAsked('create')}>
              {text.protection.createGroup}
            </ActionButton>
            {only !== undefined && <GroupActions group={only} ask={setAsked} />}
          </>
        }
      />
      {asked === 'create' && <CreateGroup close={close} />}
      {only !== undefined && asked === 'members' && <GroupMembers group={only} close={close} />}
      {only !== undefined && asked === 'edit' && (
        <EditGroup group={only} policies={policies} close={close} />
      )}
      {only !== undefined && asked === 'take' && <TakePoint group={only} close={close} />}
      {only !== undefined && asked === 'delete' && <DeleteGroup group={only} close={close} />}
    </>
  );
}

function GroupActions({ group, ask }: { group: Group; ask: (what: Asked) => void }) {
  const text = useText();
  const navigate = useNavigate();
  const t = text.protection;
  return (
    <>
      <ActionButton
        operation="POST /protection-groups/{id}/points"
        variant="secondary"
        onClick={() => ask('take')}
      >
        {t.take}
      </ActionButton>
      <Button variant="secondary" onClick={() => ask('members')}>
        {t.showMembers}
      </Button>
      <Button
        variant="secondary"
        onClick={() => void navigate(`/protection?tab=points&group=${group.id}`)}
      >
        {t.showPoints}
      </Button>
      <ActionButton
        operation="PATCH /protection-groups/{id}"
        variant="secondary"
        onClick={() => ask('edit')}
      >
        {text.forms.edit.edit}
      </ActionButton>
      <ActionButton
        operation="DELETE /protection-groups/{id}"
        variant="danger"
        onClick={() => ask('delete')}
      >
        {text.common.delete}
      </ActionButton>
    </>
  );
}

function usePolicyNames(): ReadonlyMap<string, string> {
  const rows = useRows(KEYS.policies, POLICIES).data?.rows;
  return useMemo(() => new Map((rows ?? []).map(({ id, name }) => [id, name])), [rows]);
}

function idOf({ id }: Group): string {
  return id;
}

function nameOf({ name }: Group): string {
  return name;
}

function textOf({ id, name, policy, lastError }: Group): string {
  return [name, id, policy, lastError ?? ''].join('\n');
}

function columnsOf(policies: ReadonlyMap<string, string>, text: Text): Column<Group>[] {
  const t = text.protection;
  const policyOf = ({ policy }: Group) => policies.get(policy) ?? policy;
  return [
    nameColumn(text.volumes.name, nameOf),
    {
      key: 'policy',
      title: t.policy,
      by: policyOf,
      cell: (row) => (
        <Link to={`/protection/policies/${row.policy}`} title={policyOf(row)}>
          {policyOf(row)}
        </Link>
      ),
      width: 10,
      grow: 1,
    },
    countColumn('members', t.members, ({ members }: Group) => members.length, { width: 8 }),
    timeColumn('next', t.next, ({ next }: Group) => next),
    timeColumn('last', t.last, ({ last }: Group) => last, { always: true }),
    sentenceColumn('lastError', t.lastError, ({ lastError }: Group) => lastError),
    {
      key: 'notContinuous',
      title: t.notContinuous,
      by: ({ notContinuous }) => notContinuous.length,
      cell: ({ notContinuous }) =>
        notContinuous.length > 0 && (
          <Mark status="warning" title={notContinuous.map(({ reason }) => reason).join('\n')}>
            {notContinuous.length}
          </Mark>
        ),
      width: 9,
    },
  ];
}
