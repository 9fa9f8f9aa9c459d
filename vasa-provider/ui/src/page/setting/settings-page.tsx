import { Checkbox, Content } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { send } from '../../api/send';
import { nameColumn, textColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { Mark } from '../../kit/mark';
import { PageFrame } from '../../kit/page-frame';
import { useUrlState } from '../../kit/url-state';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';

type Setting = Output<'GET /settings'>['items'][number];

const ALL = 'all';
const CHANGED = 'changed';

/** The settings as they are in force, and where each value comes from. */
export default function SettingsPage() {
  const text = useText();
  const [shown, setShown] = useUrlState('shown', ALL);
  const settings = useQuery({
    queryKey: ['settings'],
    staleTime: Infinity, // they change with a start, which ends this page's stream
    queryFn: ({ signal }) => send(call('GET /settings'), signal),
    select: ({ items }) => {
      const rows = shown === CHANGED ? items.filter(differs) : items;
      return { rows, total: rows.length, complete: true };
    },
  });
  const columns = useMemo(() => columnsOf(text), [text]);
  return (
    <PageFrame title={text.setting.title} head={<Content component="p">{text.setting.how}</Content>}>
      <ListTable
        label={text.setting.title}
        query={settings}
        columns={columns}
        idOf={nameOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="name"
        actions={
          <Checkbox
            id="settings-changed"
            label={text.setting.changed}
            isChecked={shown === CHANGED}
            onChange={(_, only) => setShown(only ? CHANGED : ALL)}
          />
        }
      />
    </PageFrame>
  );
}

function differs(setting: Setting): boolean {
  return setting.secret || setting.value !== setting.defaultValue;
}

function nameOf(setting: Setting): string {
  return setting.name;
}

function textOf(setting: Setting): string {
  return [setting.name, setting.value ?? '', setting.origin].join('\n');
}

function columnsOf(text: Text): Column<Setting>[] {
  const t = text.setting;
  return [
    nameColumn(t.name, nameOf, { width: 16 }),
    {
      key: 'value',
      title: t.value,
      by: (row) => row.value ?? '',
      cell: (row) =>
        row.secret ? <Mark>{t.secret}</Mark> : <span title={row.value ?? ''}>{row.value}</span>,
      width: 12,
      grow: 2,
      always: true,
    },
    textColumn('default', t.standard, (row) => row.defaultValue ?? '', { width: 9, grow: 1 }),
    textColumn('origin', t.origin, (row) => row.origin, { width: 12, grow: 2 }),
  ];
}
