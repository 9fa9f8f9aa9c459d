import {
  Button,
  Content,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
} from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Commands } from '../../kit/commands';
import { type Column, DataTable } from '../../kit/data-table';
import { ProblemAlert } from '../../kit/problem-alert';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { useText } from '../../text/preferences';
import { AttachLines } from './attach-lines';

export type PlainUnit = Output<'GET /exports'>['items'][number];

const PAGE: PageCall<PlainUnit> = (query) => call('GET /exports', { query });
const NONE: ReadonlySet<string> = new Set();

export function ExportTable() {
  const text = useText();
  const exports = useRows(['exports'], PAGE);
  const [selected, setSelected] = useState(NONE);
  const [shown, setShown] = useState<PlainUnit | undefined>();
  const [ending, setEnding] = useState<PlainUnit | undefined>();
  const columns = useMemo(() => columnsOf(text), [text]);
  const chosen = exports.data?.rows.filter((row) => selected.has(row.vvol)) ?? [];
  const only = chosen.length === 1 ? chosen[0] : undefined;
  return (
    <>
      {exports.isError && (
        <ProblemAlert error={exports.error} retry={() => void exports.refetch()} />
      )}
      <DataTable
        label={text.hosts.exports}
        list={exports.data}
        columns={columns}
        idOf={(row) => row.vvol}
        nameOf={unitName}
        textOf={(row) => [row.name ?? '', row.vvol, row.naa, ...row.initiators].join('\n')}
        usualSort="lun"
        selection={{ ids: selected, set: setSelected }}
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

function unitName(unit: PlainUnit): string {
  return unit.name ?? unit.vvol;
}

function columnsOf(text: Text): Column<PlainUnit>[] {
  const t = text.hosts;
  return [
    { key: 'lun', title: t.lun, by: (row) => row.lun, cell: (row) => row.lun, width: 5, right: true },
    {
      key: 'name',
      title: text.volumes.name,
      by: unitName,
      cell: (row) => <span title={unitName(row)}>{unitName(row)}</span>,
      width: 12,
      grow: 2,
      always: true,
    },
    {
      key: 'initiators',
      title: t.initiators,
      cell: (row) => <span title={row.initiators.join('\n')}>{row.initiators.join(', ')}</span>,
      width: 14,
      grow: 3,
    },
    {
      key: 'reached',
      title: t.reached,
      by: (row) => row.reachedBy.length,
      cell: (row) => row.reachedBy.length,
      width: 9,
      right: true,
      always: true,
    },
    {
      key: 'readOnly',
      title: t.readOnly,
      by: (row) => Number(row.readOnly),
      cell: (row) => (row.readOnly ? text.common.yes : text.common.no),
      width: 8,
    },
  ];
}

function Lines({ unit, close }: { unit: PlainUnit; close: () => void }) {
  const text = useText();
  return (
    <Modal isOpen variant="medium" onClose={close} aria-labelledby="lines-title">
      <ModalHeader title={`${text.hosts.lines}: ${unitName(unit)}`} labelId="lines-title" />
      <ModalBody>
        <AttachLines commands={unit.commands} />
      </ModalBody>
      <ModalFooter>
        <Button onClick={close}>{text.common.close}</Button>
      </ModalFooter>
    </Modal>
  );
}

function End({ unit, close }: { unit: PlainUnit; close: () => void }) {
  const text = useText();
  const wanted = call('DELETE /exports/{vvol}', { path: { vvol: unit.vvol } });
  const ending = useMutation({
    mutationFn: () => send(wanted),
    onSuccess: () => {
      toast('success', text.hosts.ended(unitName(unit)));
      close();
    },
  });
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby="end-title">
      <ModalHeader title={text.hosts.endTitle} labelId="end-title" titleIconVariant="warning" />
      <ModalBody>
        {ending.isError && <ProblemAlert error={ending.error} />}
        <Content component="p">{text.hosts.endText(unitName(unit), unit.reachedBy.length)}</Content>
        <Commands call={wanted} />
      </ModalBody>
      <ModalFooter>
        <Button
          variant="danger"
          isLoading={ending.isPending}
          isDisabled={ending.isPending}
          onClick={() => ending.mutate()}
        >
          {text.hosts.end}
        </Button>
        <Button variant="link" onClick={close}>
          {text.common.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
