import {
  Button,
  Content,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  PageSection,
  Title,
} from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call, type Output } from '../api/call';
import { type PageCall, useRows } from '../api/lists';
import { send } from '../api/send';
import { ActionButton } from '../kit/action-button';
import { Commands } from '../kit/commands';
import { type Column, DataTable } from '../kit/data-table';
import { Time } from '../kit/figure';
import { ProblemAlert } from '../kit/problem-alert';
import { toast } from '../kit/toasts';
import type { Text } from '../text/en';
import type { Format } from '../text/format';
import { useFormat, useText } from '../text/preferences';

type BinItem = Output<'GET /bin'>['items'][number];

const NONE: ReadonlySet<string> = new Set();
const PAGE: PageCall<BinItem> = (query) => call('GET /bin', { query });

/** What was deleted and can be restored. */
export default function BinPage() {
  const text = useText();
  const format = useFormat();
  const bin = useRows(['bin'], PAGE);
  const [selected, setSelected] = useState(NONE);
  const [purging, setPurging] = useState<readonly BinItem[] | undefined>();
  const chosen = bin.data?.rows.filter((row) => selected.has(row.id)) ?? [];
  const restore = useMutation({
    mutationFn: async (items: readonly BinItem[]) => {
      for (const item of items) {
        await send(call('POST /bin/{id}/restore', { path: { id: item.id } }));
        toast('success', text.volumes.restored(nameOf(item)));
      }
      setSelected(NONE);
    },
    onError: (e) => toast('danger', e.message),
  });
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  return (
    <>
      <PageSection>
        <Title headingLevel="h1">{text.bin.title}</Title>
      </PageSection>
      <PageSection isFilled>
        {bin.isError && <ProblemAlert error={bin.error} retry={() => void bin.refetch()} />}
        <DataTable
          label={text.bin.title}
          list={bin.data}
          columns={columns}
          idOf={idOf}
          nameOf={nameOf}
          textOf={textOf}
          usualSort="-deleted"
          selection={{ ids: selected, set: setSelected }}
          actions={
            chosen.length > 0 && (
              <>
                <ActionButton
                  operation="POST /bin/{id}/restore"
                  isLoading={restore.isPending}
                  onClick={() => restore.mutate(chosen)}
                >
                  {text.bin.restore} ({text.table.selected(chosen.length)})
                </ActionButton>
                <ActionButton
                  operation="DELETE /bin/{id}"
                  variant="danger"
                  onClick={() => setPurging(chosen)}
                >
                  {text.bin.purge} ({text.table.selected(chosen.length)})
                </ActionButton>
              </>
            )
          }
        />
      </PageSection>
      {purging !== undefined && (
        <Purge
          items={purging}
          close={(done) => {
            setPurging(undefined);
            if (done) {
              setSelected(NONE);
            }
          }}
        />
      )}
    </>
  );
}

function columnsOf(text: Text, format: Format): Column<BinItem>[] {
  return [
    {
      key: 'name',
      title: text.volumes.name,
      by: nameOf,
      cell: (row) => <span title={nameOf(row)}>{nameOf(row)}</span>,
      width: 10,
      grow: 2,
      always: true,
    },
    { key: 'kind', title: text.bin.kind, by: kindOf, cell: kindOf, width: 8 },
    {
      key: 'alone',
      title: text.volumes.alone,
      by: (row) => row.alone,
      cell: (row) => format.bytes(row.alone),
      width: 10,
      right: true,
      always: true,
    },
    {
      key: 'deleted',
      title: text.bin.deleted,
      by: (row) => row.deleted,
      cell: (row) => <Time at={row.deleted} />,
      width: 13,
    },
    {
      key: 'until',
      title: text.bin.until,
      by: (row) => row.until,
      cell: (row) => <Time at={row.until} />,
      width: 13,
    },
    { key: 'by', title: text.bin.by, by: (row) => row.by, cell: (row) => row.by, width: 9 },
  ];
}

function idOf(item: BinItem): string {
  return item.id;
}

function kindOf(item: BinItem): string {
  return item.kind;
}

function nameOf(item: BinItem): string {
  return item.name ?? item.id;
}

function textOf(item: BinItem): string {
  return [item.name ?? '', item.id, item.vm ?? '', item.kind, item.by].join('\n');
}

function Purge(props: { items: readonly BinItem[]; close: (done: boolean) => void }) {
  const { items, close } = props;
  const text = useText();
  const callOf = (item: BinItem) => call('DELETE /bin/{id}', { path: { id: item.id } });
  const purge = useMutation({
    mutationFn: async () => {
      for (const item of items) {
        await send(callOf(item));
        toast('success', text.bin.purged(nameOf(item)));
      }
    },
    onSuccess: () => close(true),
  });
  return (
    <Modal isOpen variant="small" onClose={() => close(false)} aria-labelledby="purge-title">
      <ModalHeader
        title={text.bin.purgeTitle(items.length)}
        labelId="purge-title"
        titleIconVariant="danger"
      />
      <ModalBody>
        {purge.isError && <ProblemAlert error={purge.error} />}
        <Content component="ul">
          {items.map((item) => (
            <li key={item.id}>{nameOf(item)}</li>
          ))}
        </Content>
        <Content component="p">{text.bin.purgeText}</Content>
        {items.length === 1 && <Commands call={callOf(items[0]!)} />}
      </ModalBody>
      <ModalFooter>
        <Button
          variant="danger"
          isLoading={purge.isPending}
          isDisabled={purge.isPending}
          onClick={() => purge.mutate()}
        >
          {text.bin.purge}
        </Button>
        <Button variant="link" onClick={() => close(false)}>
          {text.common.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
