import { Button, Label, PageSection, Title } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call, type Output } from '../api/call';
import { type PageCall, useRows } from '../api/lists';
import { ActionButton } from '../kit/action-button';
import { type Column, DataTable } from '../kit/data-table';
import { Time } from '../kit/figure';
import { ProblemAlert } from '../kit/problem-alert';
import type { Text } from '../text/en';
import type { Format } from '../text/format';
import { useFormat, useText } from '../text/preferences';
import { CreateVolume } from './create-volume';
import { DeleteVolumes } from './delete-volumes';

export type Vvol = Output<'GET /vvols'>['items'][number];

const PAGE: PageCall<Vvol> = (query) => call('GET /vvols', { query });
const NONE: ReadonlySet<string> = new Set();

/** All volumes, those of administrators and those of vCenter. */
export default function VolumesPage() {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const volumes = useRows(['volumes'], PAGE);
  const [selected, setSelected] = useState(NONE);
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<readonly Vvol[] | undefined>();
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  const chosen = volumes.data?.rows.filter((row) => selected.has(row.id)) ?? [];
  return (
    <>
      <PageSection>
        <Title headingLevel="h1">{text.volumes.title}</Title>
      </PageSection>
      <PageSection isFilled>
        {volumes.isError && (
          <ProblemAlert error={volumes.error} retry={() => void volumes.refetch()} />
        )}
        <DataTable
          label={text.volumes.title}
          list={volumes.data}
          columns={columns}
          idOf={idOf}
          nameOf={nameOf}
          textOf={textOf}
          usualSort="name"
          open={(row) => void navigate(`/volumes/${row.id}`)}
          selection={{ ids: selected, set: setSelected }}
          actions={
            <>
              <ActionButton operation="POST /volumes" onClick={() => setCreating(true)}>
                {text.volumes.create}
              </ActionButton>
              {chosen.length > 0 && (
                <ActionButton
                  operation="DELETE /volumes/{id}"
                  variant="danger"
                  reason={staysOf(chosen, text)}
                  onClick={() => setDeleting(chosen)}
                >
                  {text.common.delete} ({text.table.selected(chosen.length)})
                </ActionButton>
              )}
              {chosen.length > 0 && (
                <Button variant="link" onClick={() => setSelected(NONE)}>
                  {text.common.cancel}
                </Button>
              )}
            </>
          }
        />
      </PageSection>
      {creating && <CreateVolume close={() => setCreating(false)} />}
      {deleting !== undefined && (
        <DeleteVolumes
          volumes={deleting}
          close={(done) => {
            setDeleting(undefined);
            if (done) {
              setSelected(NONE);
            }
          }}
        />
      )}
    </>
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
  return [row.name ?? '', row.id, row.naa, row.vm ?? '', ...labels].join('\n');
}

/** Why one of these volumes cannot be deleted here; absent if all can. */
function staysOf(volumes: readonly Vvol[], text: Text): string | undefined {
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

function columnsOf(text: Text, format: Format): Column<Vvol>[] {
  const t = text.volumes;
  const bytes = (key: string, title: string, by: (row: Vvol) => number): Column<Vvol> => ({
    key,
    title,
    by,
    cell: (row) => format.bytes(by(row)),
    width: 7,
    right: true,
  });
  return [
    {
      key: 'name',
      title: t.name,
      by: nameOf,
      cell: (row) => (
        <Link to={`/volumes/${row.id}`} title={nameOf(row)}>
          {nameOf(row)}
        </Link>
      ),
      width: 12,
      grow: 2,
      always: true,
    },
    {
      key: 'kind',
      title: t.kind,
      by: (row) => (row.plain ? t.kinds.volume : `${t.kinds.vvol} ${row.type}`),
      cell: (row) => (row.plain ? t.kinds.volume : `${t.kinds.vvol} ${row.type}`),
      width: 7,
    },
    { ...bytes('size', t.size, (row) => row.size), always: true },
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
          {row.exported && <Label isCompact>{t.exported}</Label>}{' '}
          {row.bound && <Label isCompact>{t.bound}</Label>}
        </>
      ),
      width: 8,
    },
    {
      key: 'created',
      title: t.created,
      by: (row) => row.created,
      cell: (row) => <Time at={row.created} />,
      width: 13,
    },
  ];
}

function Compliance({ of, text }: { of: Vvol; text: Text }) {
  const found = of.compliance;
  if (found === null) {
    return null;
  }
  const status = text.volumes.compliances[found.status];
  return found.reason === null ? (
    <>{status}</>
  ) : (
    <span title={found.reason}>
      <Label isCompact status={found.status === 'nonCompliant' ? 'danger' : 'warning'}>
        {status}
      </Label>{' '}
      <span lang="en">{found.reason}</span>
    </span>
  );
}
