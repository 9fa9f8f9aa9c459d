import { Content } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call, type Output } from '../api/call';
import { type PageCall, useRows } from '../api/lists';
import { send } from '../api/send';
import { ActionButton } from '../kit/action-button';
import { Ask } from '../kit/ask';
import { bytesColumn, nameColumn, textColumn, timeColumn } from '../kit/columns';
import type { Column } from '../kit/data-table';
import { ListTable } from '../kit/list-table';
import { PageFrame } from '../kit/page-frame';
import { useSelection } from '../kit/selection';
import { toast } from '../kit/toasts';
import type { Text } from '../text/en';
import type { Format } from '../text/format';
import { useFormat, useText } from '../text/preferences';
import { restore } from './restore';

type BinItem = Output<'GET /bin'>['items'][number];

const PAGE: PageCall<BinItem> = (query) => call('GET /bin', { query });

/** What was deleted and can be restored. */
export default function BinPage() {
  const text = useText();
  const format = useFormat();
  const bin = useRows(['bin'], PAGE);
  const selection = useSelection(bin.data, idOf);
  const [purging, setPurging] = useState<readonly BinItem[] | undefined>();
  const { chosen, clear } = selection;
  const restoring = useMutation({
    mutationFn: (items: readonly BinItem[]) =>
      restore(
        items.map((item) => ({ id: item.id, name: nameOf(item) })),
        text,
      ),
    onSuccess: clear,
  });
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  return (
    <PageFrame title={text.bin.title}>
      <ListTable
        label={text.bin.title}
        query={bin}
        columns={columns}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        usualSort="-deleted"
        selection={selection}
        actions={
          chosen.length > 0 && (
            <>
              <ActionButton
                operation="POST /bin/{id}/restore"
                isLoading={restoring.isPending}
                onClick={() => restoring.mutate(chosen)}
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
      {purging !== undefined && (
        <Purge
          items={purging}
          done={() => {
            setPurging(undefined);
            clear();
          }}
          close={() => setPurging(undefined)}
        />
      )}
    </PageFrame>
  );
}

function columnsOf(text: Text, format: Format): Column<BinItem>[] {
  return [
    nameColumn(text.volumes.name, nameOf, { width: 9 }),
    textColumn('kind', text.bin.kind, (row) => row.kind, { width: 8 }),
    bytesColumn('alone', text.volumes.alone, (row) => row.alone, format, {
      width: 9.5,
      always: true,
    }),
    timeColumn('deleted', text.bin.deleted, (row) => row.deleted),
    timeColumn('until', text.bin.until, (row) => row.until),
    textColumn('by', text.bin.by, (row) => row.by),
  ];
}

function idOf(item: BinItem): string {
  return item.id;
}

function nameOf(item: BinItem): string {
  return item.name ?? item.id;
}

function textOf(item: BinItem): string {
  return [item.name ?? '', item.id, item.vm ?? '', item.kind, item.by].join('\n');
}

function Purge(props: { items: readonly BinItem[]; done: () => void; close: () => void }) {
  const { items, done, close } = props;
  const text = useText();
  const callOf = (item: BinItem) => call('DELETE /bin/{id}', { path: { id: item.id } });

  async function run(): Promise<void> {
    for (const item of items) {
      await send(callOf(item));
      toast('success', text.bin.purged(nameOf(item)));
    }
  }

  return (
    <Ask
      title={text.bin.purgeTitle(items.length)}
      action={text.bin.purge}
      danger
      wanted={items.length === 1 ? callOf(items[0]!) : undefined}
      run={run}
      done={done}
      close={close}
    >
      <Content component="ul">
        {items.map((item) => (
          <li key={item.id}>{nameOf(item)}</li>
        ))}
      </Content>
      <Content component="p">{text.bin.purgeText}</Content>
    </Ask>
  );
}
