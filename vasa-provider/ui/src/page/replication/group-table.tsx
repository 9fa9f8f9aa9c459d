import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { linkColumn, sentenceColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import { useUrlState } from '../../kit/url-state';
import { secondsOf } from '../../text/duration';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { CreateGroup } from './group-forms';
import { Lag, StateMark } from './group-marks';
import { shortTime } from './lag';
import { type Group, groupPath, GROUPS, KEYS, LIST_MILLIS, usePeerNames } from './replication';
import { stateWord } from './state';

/** All replication groups, those that this pool sends and those that it receives. */
export function GroupTable() {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const groups = useRows(KEYS.groups, GROUPS, true, LIST_MILLIS);
  const peers = usePeerNames();
  const [doing, setDoing] = useUrlState('do', '');
  const [creating, setCreating] = useState(false);
  const columns = useMemo(() => columnsOf(peers, text, format), [peers, text, format]);
  return (
    <>
      <ListTable
        query={groups}
        label={text.replication.groups}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="name"
        open={(row) => void navigate(groupPath(row))}
        actions={
          <ActionButton operation="POST /replication/groups" onClick={() => setCreating(true)}>
            {text.replication.create}
          </ActionButton>
        }
      />
      {(creating || doing === 'create') && (
        <CreateGroup
          close={() => {
            setCreating(false);
            setDoing('');
          }}
        />
      )}
    </>
  );
}

function idOf({ id }: Group): string {
  return id;
}

function nameOf({ name }: Group): string {
  return name;
}

function textOf({ id, name, state, peer, cycles }: Group): string {
  return [name, id, state, peer, cycles?.error ?? ''].join('\n');
}

function columnsOf(
  peers: ReadonlyMap<string, string>,
  text: Text,
  format: Format,
): Column<Group>[] {
  const t = text.replication;
  return [
    linkColumn(text.volumes.name, nameOf, groupPath, { width: 9 }),
    {
      key: 'state',
      title: t.state,
      by: ({ state }) => stateWord(state, text),
      cell: ({ state, paused }) => (
        <span className="c-marked">
          <StateMark state={state} />
          {paused && <Mark>{t.paused}</Mark>}
        </span>
      ),
      width: 14,
      grow: 1,
    },
    textColumn('peer', t.peerName, ({ peer }: Group) => peers.get(peer) ?? peer, { grow: 1 }),
    {
      key: 'interval',
      title: t.interval,
      by: ({ interval }) => secondsOf(interval) ?? 0,
      cell: ({ interval }) => shortTime(interval, format),
      width: 7,
    },
    {
      key: 'lag',
      title: t.lag,
      by: ({ lag }) => secondsOf(lag ?? '') ?? -1,
      cell: (row) => <Lag group={row} />,
      width: 16,
      always: true,
    },
    timeColumn('newest', t.newest, ({ newest }: Group) => newest),
    sentenceColumn('error', t.lastError, ({ cycles }: Group) => cycles?.error),
  ];
}
