import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { call } from '../../api/call';
import { type PageCall, type Rows, useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { bytesColumn, countColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { useSelection } from '../../kit/selection';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { FailOver, StartTest } from './fail-over';
import { ageOf, shortTime } from './lag';
import type { Group, Replica } from './replication';
import { actionsOf, receives } from './state';

interface Props {
  group: Group;
  peer: string;
  query: UseQueryResult<Rows<Replica>>;
}

function pageOf(id: string): PageCall<Replica> {
  return (query) => call('GET /replication/groups/{id}/replicas', { path: { id }, query });
}

/**
 * The replicas that this pool has of a group. A new one is seen by the group, which is read all the time; the list is
 * read again only then.
 */
export function useReplicas(id: string, group: Group | undefined): UseQueryResult<Rows<Replica>> {
  const queries = useQueryClient();
  const replicas = useRows(['replication', 'replicas', id], pageOf(id), group !== undefined);
  const newest = group !== undefined && receives(group.state) ? group.newest : null;
  const known = replicas.data?.rows.some(({ taken }) => taken === newest);
  useEffect(() => {
    if (newest !== null && known === false) {
      void queries.invalidateQueries(
        { queryKey: ['replication', 'replicas', id] },
        { cancelRefetch: false },
      );
    }
  }, [queries, id, newest, known]);
  return replicas;
}

/** The replicas that this pool has of a group, and what may be done with one. */
export function ReplicaTable({ group, peer, query }: Props) {
  const text = useText();
  const format = useFormat();
  const t = text.replication;
  const selection = useSelection(query.data, idOf);
  const [asked, setAsked] = useState<'test' | 'failOver' | undefined>();
  const { newest, lag } = group;
  const columns = useMemo(() => columnsOf({ newest, lag }, text, format), [newest, lag, text, format]);
  const close = () => setAsked(undefined);
  const only = selection.only;
  const all = query.data?.rows ?? [];
  const reason = actionsOf(group).includes('failOver') ? undefined : t.onlyTarget;
  return (
    <>
      <ListTable
        query={query}
        label={t.replicas}
        columns={columns}
        idOf={idOf}
        nameOf={({ number }) => `${t.replica} ${number}`}
        textOf={textOf}
        usualSort="-number"
        selection={selection}
        actions={
          only !== undefined && (
            <>
              <ActionButton
                operation="POST /replication/groups/{id}/test"
                variant="secondary"
                reason={reason}
                onClick={() => setAsked('test')}
              >
                {t.testThis}
              </ActionButton>
              <ActionButton
                operation="POST /replication/groups/{id}/fail-over"
                variant="danger"
                reason={reason}
                onClick={() => setAsked('failOver')}
              >
                {t.failOverThis}
              </ActionButton>
            </>
          )
        }
      />
      {only !== undefined && asked === 'test' && (
        <StartTest group={group} replicas={all} replica={only.id} close={close} />
      )}
      {only !== undefined && asked === 'failOver' && (
        <FailOver group={group} peer={peer} replicas={all} replica={only.id} close={close} />
      )}
    </>
  );
}

function idOf({ id }: Replica): string {
  return id;
}

function textOf({ id, number, name, tags }: Replica): string {
  return [String(number), id, name, ...tags].join('\n');
}

function columnsOf(
  group: Pick<Group, 'newest' | 'lag'>,
  text: Text,
  format: Format,
): Column<Replica>[] {
  const t = text.replication;
  const age = ({ taken }: Replica) => ageOf(taken, group);
  return [
    countColumn('number', t.number, ({ number }: Replica) => number, { always: true }),
    timeColumn('taken', t.taken, ({ taken }: Replica) => taken, { always: true }),
    {
      key: 'age',
      title: t.age,
      by: (row) => age(row) ?? 0,
      cell: (row) => {
        const seconds = age(row);
        return seconds === undefined ? '' : shortTime(`PT${seconds}S`, format);
      },
      width: 9,
    },
    textColumn('name', t.name, ({ name }: Replica) => name, { grow: 2 }),
    textColumn('tags', t.tags, ({ tags }: Replica) => tags.join(', '), { grow: 1 }),
    countColumn('members', t.members, ({ members }: Replica) => members, { width: 8 }),
    bytesColumn('size', t.size, ({ size }: Replica) => size, format),
  ];
}
