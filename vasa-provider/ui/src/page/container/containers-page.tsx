import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { bytesColumn, countColumn, linkColumn, sentenceColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { PageFrame } from '../../kit/page-frame';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { type Container, CONTAINERS } from './container';
import { CreateContainer } from './create-container';

/** All containers, with how full each is. */
export default function ContainersPage() {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const containers = useRows(['containers'], CONTAINERS);
  const [creating, setCreating] = useState(false);
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  return (
    <PageFrame title={text.containers.title}>
      <ListTable
        query={containers}
        label={text.containers.title}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="name"
        open={(row) => void navigate(pathOf(row))}
        actions={
          <ActionButton operation="POST /containers" onClick={() => setCreating(true)}>
            {text.containers.create}
          </ActionButton>
        }
      />
      {creating && <CreateContainer close={() => setCreating(false)} />}
    </PageFrame>
  );
}

function idOf({ id }: Container): string {
  return id;
}

function nameOf({ name }: Container): string {
  return name;
}

function textOf({ id, name }: Container): string {
  return `${name}\n${id}`;
}

function pathOf({ id }: Container): string {
  return `/containers/${id}`;
}

function columnsOf(text: Text, format: Format): Column<Container>[] {
  const t = text.containers;
  return [
    linkColumn(text.volumes.name, nameOf, pathOf),
    bytesColumn('quota', t.quota, (row: Container) => row.quota, format),
    bytesColumn('used', t.used, (row: Container) => row.used, format),
    bytesColumn('free', t.free, (row: Container) => row.free, format, { always: true }),
    bytesColumn('reclaimable', t.reclaimable, (row: Container) => row.reclaimable, format, { width: 11 }),
    bytesColumn('provisioned', t.provisioned, (row: Container) => row.provisioned, format),
    countColumn('vms', t.vms, (row: Container) => row.vms, { width: 8 }),
    countColumn('vvols', t.vvols, (row: Container) => row.vvols, { width: 8 }),
    sentenceColumn('warnings', t.warnings, ({ warnings }: Container) =>
      warnings.map(({ sentence }) => sentence).join('; '),
    ),
  ];
}
