import { Content } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { call } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { linkOrNameColumn, sentenceColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { useSelection } from '../../kit/selection';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { DeleteSnapshot } from '../delete-snapshot';
import { type Orphan, pageOf } from './orphan';

const PAGE: PageCall<Orphan> = (query) => call('GET /orphans', { query });

/** What nobody seems to need any more: why, the way to it, and what its deletion frees. */
export function OrphanTab() {
  const text = useText();
  const format = useFormat();
  const t = text.housekeeping.orphans;
  const orphans = useRows(['orphans'], PAGE);
  const selection = useSelection(orphans.data, idOf);
  const [deleting, setDeleting] = useState<Orphan | undefined>();
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  const { only, clear } = selection;
  return (
    <>
      <Content component="p">{t.text}</Content>
      <ListTable
        label={t.title}
        query={orphans}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="-frees"
        selection={selection}
        actions={
          only?.kind === 'snapshot' && (
            <ActionButton
              operation="DELETE /snapshots/{id}"
              variant="danger"
              reason={only.owner === 'vcenter' ? text.object.ofVcenter : undefined}
              onClick={() => setDeleting(only)}
            >
              {text.common.delete}
            </ActionButton>
          )
        }
      />
      {deleting !== undefined && (
        <DeleteSnapshot
          id={deleting.id}
          name={nameOf(deleting)}
          close={() => {
            setDeleting(undefined);
            clear();
          }}
        />
      )}
    </>
  );
}

function idOf(row: Orphan): string {
  return row.id;
}

function nameOf(row: Orphan): string {
  return row.name ?? row.id;
}

function textOf(row: Orphan): string {
  return [row.name ?? '', row.id, row.vm ?? '', row.vvol ?? '', row.sentence].join('\n');
}

function columnsOf(text: Text, format: Format): Column<Orphan>[] {
  const t = text.housekeeping.orphans;
  return [
    linkOrNameColumn(text.volumes.name, nameOf, pageOf, { width: 9, grow: 1 }),
    textColumn('kind', t.kind, (row) => t.kinds[row.kind], { width: 7 }),
    {
      key: 'frees',
      title: t.frees,
      by: (row) => row.frees ?? -1,
      cell: (row) => (row.frees === null ? '' : format.bytes(row.frees)),
      width: 6,
      right: true,
      always: true,
    },
    sentenceColumn('why', t.why, (row) => row.sentence, { width: 17 }),
    textColumn('owner', t.owner, (row) => t.owners[row.owner], { width: 7 }),
    sentenceColumn('remedy', t.remedy, (row) => row.remedy),
    timeColumn('created', text.volumes.created, (row) => row.created),
  ];
}
