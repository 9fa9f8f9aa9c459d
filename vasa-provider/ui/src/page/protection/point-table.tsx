import { FormSelect, FormSelectOption, ToolbarItem } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { ActionButton } from '../../kit/action-button';
import { countColumn, nameColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import { useSelection } from '../../kit/selection';
import { useUrlState } from '../../kit/url-state';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { ExportPoint } from './export-point';
import { LockIt } from '../lock-it';
import { DeletePoint } from './point-forms';
import { type Group, GROUPS, KEYS, type Point } from './protection';

type Asked = 'lock' | 'export' | 'delete';

const ALL = '';

/** The recovery points of all groups, or of one, which the address names. */
export function PointTable() {
  const text = useText();
  const format = useFormat();
  const queries = useQueryClient();
  const t = text.protection;
  const [group, setGroup] = useUrlState('group', ALL);
  const groups = useRows(KEYS.groups, GROUPS).data?.rows;
  const points = useRows(['protection', 'points', group], pageOf(group));
  const selection = useSelection(points.data, idOf);
  const [asked, setAsked] = useState<Asked | undefined>();
  const columns = useMemo(() => columnsOf(groups ?? [], text, format), [groups, text, format]);
  const close = () => setAsked(undefined);
  const only = selection.only;
  return (
    <>
      <ListTable
        query={points}
        label={t.points}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="-taken"
        selection={selection}
        actions={
          <>
            <ToolbarItem>
              <FormSelect aria-label={t.group} value={group} onChange={(_, id) => setGroup(id)}>
                <FormSelectOption value={ALL} label={t.allGroups} />
                {(groups ?? []).map(({ id, name }) => (
                  <FormSelectOption key={id} value={id} label={name} />
                ))}
              </FormSelect>
            </ToolbarItem>
            {only !== undefined && <PointActions point={only} ask={setAsked} />}
          </>
        }
      />
      {only !== undefined && asked === 'lock' && (
        <LockIt
          name={only.name}
          lock={(lockFor) =>
            call('POST /recovery-points/{id}/lock', { path: { id: only.id }, body: { lockFor } })
          }
          locked={() => void queries.invalidateQueries({ queryKey: ['protection'] })}
          close={close}
        />
      )}
      {only !== undefined && asked === 'export' && <ExportPoint point={only} close={close} />}
      {only !== undefined && asked === 'delete' && <DeletePoint point={only} close={close} />}
    </>
  );
}

function PointActions({ point, ask }: { point: Point; ask: (what: Asked) => void }) {
  const text = useText();
  const format = useFormat();
  const t = text.protection;
  const { lockedUntil } = point;
  const isLocked = lockedUntil !== null && Date.parse(lockedUntil) > Date.now();
  return (
    <>
      <ActionButton
        operation="POST /recovery-points/{id}/lock"
        variant="secondary"
        onClick={() => ask('lock')}
      >
        {t.lockPoint}
      </ActionButton>
      <ActionButton
        operation="POST /temporary-exports"
        variant="secondary"
        onClick={() => ask('export')}
      >
        {t.exportPoint}
      </ActionButton>
      <ActionButton
        operation="DELETE /recovery-points/{id}"
        variant="danger"
        reason={isLocked ? t.isLocked(format.time(lockedUntil)) : undefined}
        onClick={() => ask('delete')}
      >
        {text.common.delete}
      </ActionButton>
    </>
  );
}

function pageOf(group: string): PageCall<Point> {
  return (query) =>
    call('GET /recovery-points', { query: { ...query, ...(group === ALL ? {} : { group }) } });
}

function idOf({ id }: Point): string {
  return id;
}

function nameOf({ name }: Point): string {
  return name;
}

function textOf({ id, name, rules }: Point): string {
  return [name, id, ...rules].join('\n');
}

function columnsOf(groups: readonly Group[], text: Text, format: Format): Column<Point>[] {
  const t = text.protection;
  const groupOf = ({ group }: Point) => groups.find(({ id }) => id === group)?.name ?? group;
  const wantedBy = ({ rules }: Point) => (rules.length === 0 ? t.aPerson : rules.join(', '));
  return [
    nameColumn(text.volumes.name, nameOf),
    textColumn('group', t.group, groupOf, { grow: 1 }),
    timeColumn('taken', t.takenAt, ({ taken }: Point) => taken, { always: true }),
    textColumn('rules', t.wantedBy, wantedBy),
    countColumn('snapshots', t.snapshots, ({ snapshots }: Point) => snapshots.length, { width: 9 }),
    {
      key: 'locked',
      title: t.lockedUntil,
      by: ({ lockedUntil }) => lockedUntil ?? '',
      cell: ({ lockedUntil }) =>
        lockedUntil !== null && <Mark>{format.time(lockedUntil)}</Mark>,
      width: 14,
    },
  ];
}
