import { useMemo, useState } from 'react';
import { useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { nameColumn, sentenceColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { useSelection } from '../../kit/selection';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { PairActions } from './pair-actions';
import { ChangePeer, RemovePeer } from './peer-forms';
import { GROUPS, KEYS, type Peer, PEERS } from './replication';

/** The pools that this one is paired with. */
export function PeerTable() {
  const text = useText();
  const t = text.replication.peer;
  const peers = useRows(KEYS.peers, PEERS);
  const groups = useRows(KEYS.groups, GROUPS).data?.rows ?? [];
  const selection = useSelection(peers.data, idOf);
  const [asked, setAsked] = useState<'change' | 'remove' | undefined>();
  const columns = useMemo(() => columnsOf(text), [text]);
  const close = () => setAsked(undefined);
  const only = selection.only;
  return (
    <>
      <ListTable
        query={peers}
        label={text.replication.peers}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="name"
        selection={selection}
        actions={
          <>
            <PairActions />
            {only !== undefined && (
              <>
                <ActionButton
                  operation="PATCH /replication/peers/{id}"
                  variant="secondary"
                  onClick={() => setAsked('change')}
                >
                  {t.change}
                </ActionButton>
                <ActionButton
                  operation="DELETE /replication/peers/{id}"
                  variant="danger"
                  onClick={() => setAsked('remove')}
                >
                  {t.remove}
                </ActionButton>
              </>
            )}
          </>
        }
      />
      {only !== undefined && asked === 'change' && <ChangePeer peer={only} close={close} />}
      {only !== undefined && asked === 'remove' && (
        <RemovePeer
          peer={only}
          groups={groups.filter(({ peer }) => peer === only.id).length}
          close={close}
        />
      )}
    </>
  );
}

function idOf({ id }: Peer): string {
  return id;
}

function nameOf({ name }: Peer): string {
  return name;
}

function textOf({ id, name, address }: Peer): string {
  return [name, id, address].join('\n');
}

function columnsOf(text: Text): Column<Peer>[] {
  const t = text.replication.peer;
  return [
    nameColumn(text.volumes.name, nameOf),
    textColumn('address', t.address, ({ address }: Peer) => address, {
      width: 12,
      grow: 2,
      always: true,
    }),
    timeColumn('paired', t.paired, ({ paired }: Peer) => paired),
    timeColumn('expires', t.expires, ({ certificateExpires }: Peer) => certificateExpires),
    sentenceColumn('obstacle', t.obstacle, ({ obstacle }: Peer) => obstacle),
  ];
}
