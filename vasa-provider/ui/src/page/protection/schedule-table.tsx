import { Content } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { call, type Call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { linkColumn, sentenceColumn, textColumn, timeColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { useSelection } from '../../kit/selection';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { useVolumeNames } from './members';

type Schedule = Output<'GET /schedules/{vvol}'>;
type Change = Partial<Pick<Schedule, 'enabled' | 'retentionEnabled'>>;

const SCHEDULES: PageCall<Schedule> = (query) => call('GET /schedules', { query });

/** The snapshots that storage policies ask for, by volume. */
export function ScheduleTable() {
  const text = useText();
  const format = useFormat();
  const t = text.protection;
  const schedules = useRows(['schedules'], SCHEDULES);
  const names = useVolumeNames();
  const selection = useSelection(schedules.data, idOf);
  const [change, setChange] = useState<Change | undefined>();
  const columns = useMemo(() => columnsOf(names, text, format), [names, text, format]);
  const nameOf = (row: Schedule) => names.get(row.vvol) ?? row.vvol;
  const only = selection.only;
  return (
    <>
      <p className="c-quiet">{t.schedulesText}</p>
      <ListTable
        query={schedules}
        label={t.schedules}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={(row) => [nameOf(row), row.vvol, row.lastError ?? ''].join('\n')}
        usualSort="name"
        selection={selection}
        actions={only !== undefined && <Switches schedule={only} ask={setChange} />}
      />
      {only !== undefined && change !== undefined && (
        <Switch
          schedule={only}
          name={nameOf(only)}
          change={change}
          close={() => setChange(undefined)}
        />
      )}
    </>
  );
}

interface SwitchesProps {
  schedule: Schedule;
  ask: (change: Change) => void;
}

function Switches({ schedule: { enabled, retentionEnabled }, ask }: SwitchesProps) {
  const t = useText().protection;
  return (
    <>
      <ActionButton
        operation="PATCH /schedules/{vvol}"
        variant="secondary"
        onClick={() => ask({ enabled: !enabled })}
      >
        {enabled ? t.stopTaking : t.startTaking}
      </ActionButton>
      <ActionButton
        operation="PATCH /schedules/{vvol}"
        variant="secondary"
        onClick={() => ask({ retentionEnabled: !retentionEnabled })}
      >
        {retentionEnabled ? t.stopDeleting : t.startDeleting}
      </ActionButton>
    </>
  );
}

interface SwitchProps {
  schedule: Schedule;
  name: string;
  change: Change;
  close: () => void;
}

function Switch({ schedule, name, change, close }: SwitchProps) {
  const t = useText().protection;
  const { enabled, retentionEnabled } = change;
  const title =
    enabled === undefined
      ? retentionEnabled === true
        ? t.startDeleting
        : t.stopDeleting
      : enabled
        ? t.startTaking
        : t.stopTaking;
  const wanted = changeOf(schedule, change);
  return (
    <Ask
      title={title}
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', t.switched(name), () => void undo(schedule, change, t.switched(name)));
        close();
      }}
      close={close}
    >
      <Content component="p" className="c-wrap">
        {name}. {t.switchText}
      </Content>
    </Ask>
  );
}

function changeOf({ vvol }: Schedule, body: Change): Call<Schedule> {
  return call('PATCH /schedules/{vvol}', { path: { vvol }, body });
}

/** Switches back what a change has switched. */
async function undo(schedule: Schedule, change: Change, done: string): Promise<void> {
  const { enabled, retentionEnabled } = schedule;
  try {
    await send(
      changeOf(schedule, change.enabled === undefined ? { retentionEnabled } : { enabled }),
    );
    toast('success', done);
  } catch (e) {
    toast('danger', e instanceof Error ? e.message : String(e));
  }
}

function idOf({ vvol }: Schedule): string {
  return vvol;
}

function columnsOf(
  names: ReadonlyMap<string, string>,
  text: Text,
  format: Format,
): Column<Schedule>[] {
  const t = text.protection;
  const p = text.policies;
  const yesNo = (is: boolean) => (is ? text.common.yes : text.common.no);
  const time = (iso: string | null, none: string) => (iso === null ? none : format.duration(iso));
  return [
    linkColumn(
      text.volumes.name,
      ({ vvol }: Schedule) => names.get(vvol) ?? vvol,
      ({ vvol }: Schedule) => `/volumes/${vvol}`,
    ),
    textColumn('every', p.snapshotInterval, ({ interval }: Schedule) => time(interval, text.common.none)),
    textColumn('kept', p.snapshotRetention, ({ retention }: Schedule) => time(retention, p.forEver)),
    textColumn('taking', t.taking, ({ enabled }: Schedule) => yesNo(enabled)),
    textColumn('deleting', t.deleting, ({ retentionEnabled }: Schedule) => yesNo(retentionEnabled)),
    timeColumn('next', t.next, ({ next }: Schedule) => next, { always: true }),
    timeColumn('last', t.last, ({ last }: Schedule) => last),
    sentenceColumn('lastError', t.lastError, ({ lastError }: Schedule) => lastError),
  ];
}
