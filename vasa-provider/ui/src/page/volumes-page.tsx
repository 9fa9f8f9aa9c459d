import { Button } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { call, type Output } from '../api/call';
import { type PageCall, useRows } from '../api/lists';
import { ActionButton } from '../kit/action-button';
import { bytesColumn, linkColumn, textColumn, timeColumn } from '../kit/columns';
import type { Column } from '../kit/data-table';
import { ListTable } from '../kit/list-table';
import { Mark } from '../kit/mark';
import { PageFrame } from '../kit/page-frame';
import { useSelection } from '../kit/selection';
import { useUrlState } from '../kit/url-state';
import type { Text } from '../text/en';
import type { Format } from '../text/format';
import { useFormat, useText } from '../text/preferences';
import { CreateVolume } from './create-volume';
import { DeleteVolumes } from './delete-volumes';
import { CreateGroup } from './protection/group-forms';
import { SetPolicy } from './volume/set-policy';

export type Vvol = Output<'GET /vvols'>['items'][number];

const PAGE: PageCall<Vvol> = (query) => call('GET /vvols', { query });

/** All volumes, those of administrators and those of vCenter. */
export default function VolumesPage() {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const volumes = useRows(['volumes'], PAGE);
  const selection = useSelection(volumes.data, idOf);
  const [doing, setDoing] = useUrlState('do', '');
  const [asking, setAsking] = useState<'policy' | 'protect' | 'delete' | undefined>();
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  const { chosen, clear } = selection;
  const close = () => setAsking(undefined);
  const done = () => {
    close();
    clear();
  };
  return (
    <PageFrame title={text.volumes.title}>
      <ListTable
        label={text.volumes.title}
        query={volumes}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="name"
        open={(row) => void navigate(pageOf(row))}
        selection={selection}
        actions={
          <>
            <ActionButton operation="POST /volumes" onClick={() => setDoing('create')}>
              {text.volumes.create}
            </ActionButton>
            {chosen.length > 0 && (
              <>
                <ActionButton
                  operation="PATCH /volumes/{id}"
                  variant="secondary"
                  reason={chosen.every(({ plain }) => plain) ? undefined : text.volume.ofVcenter}
                  onClick={() => setAsking('policy')}
                >
                  {text.volume.setPolicy}
                </ActionButton>
                <ActionButton
                  operation="POST /protection-groups"
                  variant="secondary"
                  onClick={() => setAsking('protect')}
                >
                  {text.volume.protect}
                </ActionButton>
                <ActionButton
                  operation="DELETE /volumes/{id}"
                  variant="danger"
                  reason={staysOf(chosen, text)}
                  onClick={() => setAsking('delete')}
                >
                  {text.common.delete} ({text.table.selected(chosen.length)})
                </ActionButton>
                <Button variant="link" onClick={clear}>
                  {text.common.cancel}
                </Button>
              </>
            )}
          </>
        }
      />
      {doing === 'create' && <CreateVolume close={() => setDoing('')} />}
      {asking === 'policy' && <SetPolicy volumes={chosen} done={done} close={close} />}
      {asking === 'protect' && (
        <CreateGroup first={{ volumes: chosen.map(({ id }) => id) }} close={done} />
      )}
      {asking === 'delete' && <DeleteVolumes volumes={chosen} done={done} close={close} />}
    </PageFrame>
  );
}

function idOf(row: Vvol): string {
  return row.id;
}

/** The name, or the id of what has none. */
export function nameOf(row: Pick<Vvol, 'id' | 'name'>): string {
  return row.name ?? row.id;
}

function textOf(row: Vvol): string {
  const labels = Object.entries(row.labels).map(([key, value]) => `${key}=${value}`);
  return [row.name ?? '', row.id, row.naa, row.vm ?? '', row.container, ...labels].join('\n');
}

/** What some volumes go on from. */
export function basesOf(volumes: readonly Vvol[]): ReadonlySet<string> {
  return new Set(volumes.flatMap(({ basedOn }) => (basedOn === null ? [] : [basedOn])));
}

/** Why one of these volumes cannot be deleted here; absent if all can. */
export function staysOf(volumes: readonly Vvol[], text: Text): string | undefined {
  for (const volume of volumes) {
    const { stays } = text.volumes;
    const why = !volume.plain
      ? stays.vvol
      : volume.exported
        ? stays.exported
        : volume.bound
          ? stays.bound
          : undefined;
    if (why !== undefined) {
      return `${nameOf(volume)}: ${why}`;
    }
  }
  return undefined;
}

function pageOf(row: Vvol): string {
  return `/volumes/${row.id}`;
}

function columnsOf(text: Text, format: Format): Column<Vvol>[] {
  const t = text.volumes;
  const kind = (row: Vvol) => (row.plain ? t.kinds.volume : `${t.kinds.vvol} ${row.type}`);
  const bytes = (key: string, title: string, by: (row: Vvol) => number, always = false) =>
    bytesColumn(key, title, by, format, { width: 7, always });
  return [
    linkColumn(t.name, nameOf, pageOf),
    textColumn('kind', t.kind, kind, { width: 7 }),
    bytes('size', t.size, (row) => row.size, true),
    bytes('mapped', t.mapped, (row) => row.mapped),
    bytes('shared', t.shared, (row) => row.mapped - row.unique),
    {
      key: 'compliance',
      title: t.compliance,
      by: (row) => row.compliance?.status ?? '',
      cell: (row) => <Compliance of={row} text={text} />,
      width: 9,
      grow: 2,
    },
    {
      key: 'use',
      title: t.inUse,
      by: (row) => (row.exported ? 2 : row.bound ? 1 : 0),
      cell: (row) => (
        <>
          {row.exported && <Mark>{t.exported}</Mark>}{' '}
          {row.bound && <Mark>{t.bound}</Mark>}
        </>
      ),
      width: 8,
    },
    timeColumn('created', t.created, (row) => row.created),
  ];
}

/** Whether a volume keeps its policy, and why not. */
export function Compliance({ of, text }: { of: Vvol; text: Text }) {
  const found = of.compliance;
  if (found === null) {
    return null;
  }
  const status = text.volumes.compliances[found.status];
  return found.reason === null ? (
    <>{status}</>
  ) : (
    <span title={found.reason}>
      <Mark status={found.status === 'nonCompliant' ? 'danger' : 'warning'}>
        {status}
      </Mark>{' '}
      <span lang="en">{found.reason}</span>
    </span>
  );
}
