import { Button, Content } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { countColumn, nameColumn, textColumn } from '../../kit/columns';
import type { Column } from '../../kit/data-table';
import { ListTable } from '../../kit/list-table';
import { useSelection } from '../../kit/selection';
import { Sheet } from '../../kit/sheet';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { AttachLines } from './attach-lines';

export type PlainUnit = Output<'GET /exports'>['items'][number];

const PAGE: PageCall<PlainUnit> = (query) => call('GET /exports', { query });

/** Volumes that hosts are given by iSCSI, and who has found them. */
export function ExportTable() {
  const text = useText();
  const exports = useRows(['exports'], PAGE);
  const selection = useSelection(exports.data, idOf);
  const [shown, setShown] = useState<PlainUnit | undefined>();
  const [ending, setEnding] = useState<PlainUnit | undefined>();
  const columns = useMemo(() => columnsOf(text), [text]);
  const { only } = selection;
  return (
    <>
      <ListTable
        label={text.hosts.exports}
        query={exports}
        columns={columns}
        idOf={idOf}
        nameOf={unitName}
        textOf={textOf}
        usualSort="lun"
        selection={selection}
        open={setShown}
        actions={
          only !== undefined && (
            <>
              <Button variant="secondary" onClick={() => setShown(only)}>
                {text.hosts.lines}
              </Button>
              <ActionButton
                operation="DELETE /exports/{vvol}"
                variant="danger"
                onClick={() => setEnding(only)}
              >
                {text.hosts.end}
              </ActionButton>
            </>
          )
        }
      />
      {shown !== undefined && <Lines unit={shown} close={() => setShown(undefined)} />}
      {ending !== undefined && <End unit={ending} close={() => setEnding(undefined)} />}
    </>
  );
}

function idOf(unit: PlainUnit): string {
  return unit.vvol;
}

function unitName(unit: PlainUnit): string {
  return unit.name ?? unit.vvol;
}

function textOf(unit: PlainUnit): string {
  return [unit.name ?? '', unit.vvol, unit.naa, ...unit.initiators].join('\n');
}

function columnsOf(text: Text): Column<PlainUnit>[] {
  const t = text.hosts;
  return [
    countColumn('lun', t.lun, (row) => row.lun, { width: 5 }),
    nameColumn(text.volumes.name, unitName),
    textColumn('initiators', t.initiators, (row) => row.initiators.join(', '), {
      width: 14,
      grow: 3,
    }),
    countColumn('reached', t.reached, (row) => row.reachedBy.length, { width: 9, always: true }),
    textColumn('readOnly', t.readOnly, (row) => (row.readOnly ? text.common.yes : text.common.no), {
      width: 8,
    }),
  ];
}

function Lines({ unit, close }: { unit: PlainUnit; close: () => void }) {
  const text = useText();
  return (
    <Sheet title={`${text.hosts.lines}: ${unitName(unit)}`} close={close}>
      <AttachLines commands={unit.commands} />
    </Sheet>
  );
}

function End({ unit, close }: { unit: PlainUnit; close: () => void }) {
  const text = useText();
  const wanted = call('DELETE /exports/{vvol}', { path: { vvol: unit.vvol } });
  return (
    <Ask
      title={text.hosts.endTitle}
      action={text.hosts.end}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toast('success', text.hosts.ended(unitName(unit)));
        close();
      }}
      close={close}
    >
      <Content component="p">{text.hosts.endText(unitName(unit), unit.reachedBy.length)}</Content>
    </Ask>
  );
}
