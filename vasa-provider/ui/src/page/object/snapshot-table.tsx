import { Checkbox, Content, Title } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { call, type Call, type OperationKey, type Output } from '../../api/call';
import { sendJob, WAIT } from '../../api/job';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { bytesColumn, nameColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import { useSelection } from '../../kit/selection';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { DeleteSnapshot } from '../delete-snapshot';
import { LockIt } from '../lock-it';
import { Compare, type Compared } from './compare';
import { NameIt } from './name-it';
import { lanesOf } from './snapshot-lanes';

const LANE_REM = 1.25;
const MOST_LANES = 8; // more would leave no room for names

const MOST_COPIES = 100;

type Job = Output<'GET /jobs/{id}'>;
export type Snapshot = Output<'GET /vvols/{id}/snapshots'>['items'][number];

interface Props {
  /** Of the volume or machine that they are of. */
  id: string;
  page: PageCall<Snapshot>;
  /** The snapshots that its volumes go on from now. */
  now: ReadonlySet<string>;
  take: { operation: OperationKey; call: (name: string) => Call<Job> };
  /** Takes the whole machine back to the moment of one of them; absent for a volume. */
  revertAll?: (snapshot: Snapshot) => Call<Job>;
}

/** The snapshots of a volume or virtual machine: who takes care of them, and what each holds alone. */
export function SnapshotTable({ id, page, now, take, revertAll }: Props) {
  const text = useText();
  const format = useFormat();
  const t = text.object;
  const snapshots = useRows(['snapshots', id], page);
  const selection = useSelection(snapshots.data, idOf);
  const [asking, setAsking] = useState<
    'take' | 'clone' | 'revert' | 'lock' | 'compare' | 'delete' | undefined
  >();
  const lanes = useMemo(() => lanesOf(snapshots.data?.rows ?? []), [snapshots.data]);
  const columns = useMemo(
    () => columnsOf(text, format, lanes, now),
    [text, format, lanes, now],
  );
  const { only, chosen } = selection;
  const compared = comparedOf(chosen, t.now);
  const close = () => setAsking(undefined);
  return (
    <section aria-label={t.snapshots}>
      <Title headingLevel="h2">{t.snapshots}</Title>
      <ListTable
        label={t.snapshots}
        query={snapshots}
        columns={columns}
        idOf={idOf}
        nameOf={snapshotName}
        textOf={textOf}
        usualSort="-created"
        selection={selection}
        actions={
          <>
            <ActionButton operation={take.operation} onClick={() => setAsking('take')}>
              {t.take}
            </ActionButton>
            {only !== undefined && (
              <>
                <ActionButton
                  operation="POST /snapshots/{id}/clone"
                  variant="secondary"
                  onClick={() => setAsking('clone')}
                >
                  {t.clone}
                </ActionButton>
                <ActionButton
                  operation="POST /snapshots/{id}/revert"
                  variant="secondary"
                  onClick={() => setAsking('revert')}
                >
                  {t.revertTo}
                </ActionButton>
                <ActionButton
                  operation="POST /snapshots/{id}/lock"
                  variant="secondary"
                  onClick={() => setAsking('lock')}
                >
                  {text.protection.lockPoint}
                </ActionButton>
                <ActionButton
                  operation="DELETE /snapshots/{id}"
                  variant="danger"
                  reason={stays(only, text, format)}
                  onClick={() => setAsking('delete')}
                >
                  {text.common.delete}
                </ActionButton>
              </>
            )}
            {compared !== undefined && (
              <ActionButton
                operation="GET /differences/map"
                variant="secondary"
                onClick={() => setAsking('compare')}
              >
                {t.compare(compared.of.name)}
              </ActionButton>
            )}
          </>
        }
      />
      {asking === 'take' && (
        <NameIt
          title={t.take}
          suggested=""
          wanted={take.call}
          send={sendJob}
          said={t.taken}
          close={close}
        />
      )}
      {asking === 'clone' && only !== undefined && (
        <NameIt
          title={t.clone}
          suggested={`${snapshotName(only)} copy`}
          wanted={(name) =>
            call('POST /snapshots/{id}/clone', {
              path: { id: only.id },
              query: { wait: WAIT },
              body: { name },
            })
          }
          send={sendJob}
          said={text.volumes.created_}
          close={close}
        />
      )}
      {asking === 'lock' && only !== undefined && (
        <LockIt
          name={snapshotName(only)}
          lock={(lockFor) =>
            call('POST /snapshots/{id}/lock', { path: { id: only.id }, body: { lockFor } })
          }
          close={close}
        />
      )}
      {asking === 'compare' && compared !== undefined && <Compare {...compared} close={close} />}
      {asking === 'revert' && only !== undefined && (
        <Revert
          snapshot={only}
          all={only.group === null ? undefined : revertAll?.(only)}
          close={close}
        />
      )}
      {asking === 'delete' && only !== undefined && (
        <DeleteSnapshot id={only.id} name={snapshotName(only)} close={close} />
      )}
    </section>
  );
}

function idOf(snapshot: Snapshot): string {
  return snapshot.id;
}

function snapshotName(snapshot: Snapshot): string {
  return snapshot.name ?? snapshot.id;
}

function textOf(snapshot: Snapshot): string {
  return [snapshot.name ?? '', snapshot.id, snapshot.kind].join('\n');
}

/** One snapshot with its volume as it is now, or two of one volume; absent for anything else. */
function comparedOf(
  chosen: readonly Snapshot[],
  now: string,
): { since: Compared; of: Compared } | undefined {
  const [first, second] = [...chosen].sort((a, b) => (a.created < b.created ? -1 : 1));
  if (first === undefined || first.vvol === null || chosen.length > 2) {
    return undefined;
  }
  const since = { id: first.id, name: snapshotName(first) };
  if (second === undefined) {
    return { since, of: { id: first.vvol, name: now } };
  }
  return second.vvol === first.vvol
    ? { since, of: { id: second.id, name: snapshotName(second) } }
    : undefined;
}

/** Why a snapshot cannot be deleted here; absent if it can. */
function stays(snapshot: Snapshot, text: Text, format: Format): string | undefined {
  if (snapshot.lockedUntil !== null) {
    return text.object.locked(format.time(snapshot.lockedUntil));
  }
  return snapshot.kind === 'vasa' ? text.object.ofVcenter : undefined;
}

function columnsOf(
  text: Text,
  format: Format,
  lanes: ReadonlyMap<string, number>,
  now: ReadonlySet<string>,
): Column<Snapshot>[] {
  const t = text.object;
  return [
    nameColumn(text.volumes.name, snapshotName, {
      width: 14,
      cell: (row) => (
        <span
          className="c-marked"
          title={snapshotName(row)}
          data-lane={lanes.get(row.id)}
          style={{ paddingInlineStart: `${LANE_REM * Math.min(lanes.get(row.id) ?? 0, MOST_LANES)}rem` }}
        >
          <span className="c-cut">
            <span aria-hidden>{now.has(row.id) ? '◉' : '○'}</span> {snapshotName(row)}
          </span>{' '}
          {now.has(row.id) && <Mark>{t.goesOn}</Mark>}
        </span>
      ),
    }),
    timeColumn('created', text.volumes.created, (row) => row.created),
    textColumn('kind', t.by, (row) => t.kinds[row.kind], { width: 9 }),
    textColumn('by', t.takenBy, (row) => row.by ?? '', { width: 8 }),
    bytesColumn('unique', t.alone, (row) => row.unique, format, { always: true }),
    {
      key: 'locked',
      title: t.lock,
      by: (row) => row.lockedUntil ?? '',
      cell: (row) =>
        row.lockedUntil === null ? '' : <Mark>{format.time(row.lockedUntil)}</Mark>,
      width: 13,
    },
  ];
}

interface RevertProps {
  snapshot: Snapshot;
  /** Takes the whole machine back; absent if only this volume can be. */
  all: Call<Job> | undefined;
  close: () => void;
}

function Revert({ snapshot, all, close }: RevertProps) {
  const text = useText();
  const t = text.object;
  const name = snapshotName(snapshot);
  const [whole, setWhole] = useState(true);
  const alone = call('POST /snapshots/{id}/revert', {
    path: { id: snapshot.id },
    query: { wait: WAIT },
  });
  const wanted = (whole ? all : undefined) ?? alone;

  async function run(): Promise<void> {
    await sendJob(wanted);
    const copy = await safetyCopyOf(snapshot);
    toast(
      'success',
      t.revertedToSnapshot(name),
      copy === undefined
        ? undefined
        : () =>
            void send(call('POST /bin/{id}/restore', { path: { id: copy } })).then(
              () => toast('success', t.revertOfSnapshotUndone),
              (e: Error) => toast('danger', e.message),
            ),
    );
  }

  return (
    <Ask
      title={t.revertToSnapshot(name)}
      action={t.revertTo}
      danger
      wanted={wanted}
      run={run}
      close={close}
    >
      {all !== undefined && (
        <Checkbox
          id="whole-machine"
          label={t.wholeMachine}
          description={t.wholeMachineHelp}
          isChecked={whole}
          onChange={(_, checked) => setWhole(checked)}
        />
      )}
      <Content component="p">{t.safetyCopy}</Content>
    </Ask>
  );
}

/** What the volume of a snapshot held before its last revert; absent if the bin keeps nothing. */
async function safetyCopyOf(snapshot: Snapshot): Promise<string | undefined> {
  const query = { kind: 'safety-copy', sort: '-deleted', limit: MOST_COPIES } as const;
  const { items } = await send(call('GET /bin', { query }));
  return items.find((item) => item.vvol !== null && item.vvol === snapshot.vvol)?.id;
}
