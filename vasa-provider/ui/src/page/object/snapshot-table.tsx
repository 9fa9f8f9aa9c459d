import {
  Button,
  Content,
  FormGroup,
  Label,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
  Title,
} from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call, type Call, type OperationKey, type Output } from '../../api/call';
import { sendJob, WAIT } from '../../api/job';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Commands } from '../../kit/commands';
import { type Column, DataTable } from '../../kit/data-table';
import { Figure, Time } from '../../kit/figure';
import { ProblemAlert } from '../../kit/problem-alert';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import type { Format } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';

export type Snapshot = Output<'GET /vvols/{id}/snapshots'>['items'][number];

interface Props {
  /** Of the volume or machine that they are of. */
  id: string;
  page: PageCall<Snapshot>;
  take: { operation: OperationKey; call: (name: string) => Call<Output<'GET /jobs/{id}'>> };
}

const NONE: ReadonlySet<string> = new Set();

/** The snapshots of a volume or virtual machine: who takes care of them, and what each holds alone. */
export function SnapshotTable({ id, page, take }: Props) {
  const text = useText();
  const format = useFormat();
  const t = text.object;
  const snapshots = useRows(['snapshots', id], page);
  const [selected, setSelected] = useState(NONE);
  const [naming, setNaming] = useState<'take' | 'clone' | undefined>();
  const [asking, setAsking] = useState<'revert' | 'delete' | undefined>();
  const columns = useMemo(() => columnsOf(text, format), [text, format]);
  const chosen = snapshots.data?.rows.filter((row) => selected.has(row.id)) ?? [];
  const only = chosen.length === 1 ? chosen[0] : undefined;
  const locked = only?.lockedUntil;
  return (
    <section aria-label={t.snapshots}>
      <Title headingLevel="h2">{t.snapshots}</Title>
      {snapshots.isError && (
        <ProblemAlert error={snapshots.error} retry={() => void snapshots.refetch()} />
      )}
      <DataTable
        label={t.snapshots}
        list={snapshots.data}
        columns={columns}
        idOf={(row) => row.id}
        nameOf={snapshotName}
        textOf={(row) => [row.name ?? '', row.id, row.kind].join('\n')}
        usualSort="-created"
        selection={{ ids: selected, set: setSelected }}
        actions={
          <>
            <ActionButton operation={take.operation} onClick={() => setNaming('take')}>
              {t.take}
            </ActionButton>
            {only !== undefined && (
              <>
                <ActionButton
                  operation="POST /snapshots/{id}/clone"
                  variant="secondary"
                  onClick={() => setNaming('clone')}
                >
                  {t.clone}
                </ActionButton>
                <ActionButton
                  operation="POST /snapshots/{id}/revert"
                  variant="secondary"
                  onClick={() => setAsking('revert')}
                >
                  {t.revertTo}
                </ActionButton>
                <ActionButton
                  operation="DELETE /snapshots/{id}"
                  variant="danger"
                  reason={
                    locked
                      ? t.locked(format.time(locked))
                      : only.kind === 'vasa'
                        ? t.ofVcenter
                        : undefined
                  }
                  onClick={() => setAsking('delete')}
                >
                  {text.common.delete}
                </ActionButton>
              </>
            )}
          </>
        }
      />
      {naming === 'take' && (
        <Naming
          title={t.take}
          suggested=""
          wanted={take.call}
          close={() => setNaming(undefined)}
          done={t.taken}
        />
      )}
      {naming === 'clone' && only !== undefined && (
        <Naming
          title={t.clone}
          suggested={`${snapshotName(only)} copy`.slice(0, 80)}
          wanted={(name) =>
            call('POST /snapshots/{id}/clone', {
              path: { id: only.id },
              query: { wait: WAIT },
              body: { name },
            })
          }
          close={() => setNaming(undefined)}
          done={text.volumes.created_}
        />
      )}
      {asking === 'revert' && only !== undefined && (
        <Revert snapshot={only} close={() => setAsking(undefined)} />
      )}
      {asking === 'delete' && only !== undefined && (
        <Delete snapshot={only} close={() => setAsking(undefined)} />
      )}
    </section>
  );
}

function snapshotName(snapshot: Snapshot): string {
  return snapshot.name ?? snapshot.id;
}

function columnsOf(text: Text, format: Format): Column<Snapshot>[] {
  const t = text.object;
  return [
    {
      key: 'name',
      title: text.volumes.name,
      by: snapshotName,
      cell: (row) => <span title={snapshotName(row)}>{snapshotName(row)}</span>,
      width: 11,
      grow: 2,
      always: true,
    },
    {
      key: 'created',
      title: text.volumes.created,
      by: (row) => row.created,
      cell: (row) => <Time at={row.created} />,
      width: 13,
    },
    {
      key: 'kind',
      title: t.by,
      by: (row) => t.kinds[row.kind],
      cell: (row) => t.kinds[row.kind],
      width: 10,
    },
    {
      key: 'unique',
      title: t.alone,
      by: (row) => row.unique,
      cell: (row) => format.bytes(row.unique),
      width: 8,
      right: true,
      always: true,
    },
    {
      key: 'locked',
      title: t.lock,
      by: (row) => row.lockedUntil ?? '',
      cell: (row) =>
        row.lockedUntil === null ? '' : <Label isCompact>{format.time(row.lockedUntil)}</Label>,
      width: 13,
    },
  ];
}

interface NamingProps {
  title: string;
  suggested: string;
  wanted: (name: string) => Call<Output<'GET /jobs/{id}'>>;
  done: (name: string) => string;
  close: () => void;
}

function Naming({ title, suggested, wanted, done, close }: NamingProps) {
  const text = useText();
  const [name, setName] = useState(suggested);
  const made = name.trim() === '' ? undefined : wanted(name);
  const job = useMutation({
    mutationFn: sendJob,
    onSuccess: () => {
      toast('success', done(name));
      close();
    },
  });
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby="naming-title">
      <ModalHeader title={title} labelId="naming-title" />
      <ModalBody>
        {job.isError && <ProblemAlert error={job.error} />}
        <FormGroup label={text.volumes.name} fieldId="naming-name" isRequired>
          <TextInput
            id="naming-name"
            value={name}
            maxLength={80}
            onChange={(_, value) => setName(value)}
          />
        </FormGroup>
        <Commands call={made} />
      </ModalBody>
      <ModalFooter>
        <Button
          isLoading={job.isPending}
          isDisabled={job.isPending || made === undefined}
          onClick={() => made && job.mutate(made)}
        >
          {title}
        </Button>
        <Button variant="link" onClick={close}>
          {text.common.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

function Revert({ snapshot, close }: { snapshot: Snapshot; close: () => void }) {
  const text = useText();
  const t = text.object;
  const name = snapshotName(snapshot);
  const wanted = call('POST /snapshots/{id}/revert', {
    path: { id: snapshot.id },
    query: { wait: WAIT },
  });
  const revert = useMutation({
    mutationFn: () => sendJob(wanted),
    onSuccess: () => {
      toast('success', t.revertedToSnapshot(name));
      close();
    },
  });
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby="revert-title">
      <ModalHeader title={t.revertToSnapshot(name)} labelId="revert-title" titleIconVariant="warning" />
      <ModalBody>
        {revert.isError && <ProblemAlert error={revert.error} />}
        <Content component="p">{t.safetyCopy}</Content>
        <Commands call={wanted} />
      </ModalBody>
      <ModalFooter>
        <Button
          variant="danger"
          isLoading={revert.isPending}
          isDisabled={revert.isPending}
          onClick={() => revert.mutate()}
        >
          {t.revertTo}
        </Button>
        <Button variant="link" onClick={close}>
          {text.common.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

function Delete({ snapshot, close }: { snapshot: Snapshot; close: () => void }) {
  const text = useText();
  const t = text.object;
  const name = snapshotName(snapshot);
  const wanted = call('DELETE /snapshots/{id}', { path: { id: snapshot.id } });
  const freed = useQuery({
    queryKey: ['space', 'freed', snapshot.id],
    gcTime: 0,
    queryFn: ({ signal }) =>
      send(call('GET /space/freed', { query: { ids: snapshot.id } }), signal),
  });
  const deletion = useMutation({
    mutationFn: () => send(wanted),
    onSuccess: () => {
      toast('success', text.volumes.deleted(name), () => {
        void send(call('POST /bin/{id}/restore', { path: { id: snapshot.id } })).then(
          () => toast('success', text.volumes.restored(name)),
          (e: Error) => toast('danger', e.message),
        );
      });
      close();
    },
  });
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby="delete-title">
      <ModalHeader title={t.deleteSnapshot(name)} labelId="delete-title" titleIconVariant="warning" />
      <ModalBody>
        {deletion.isError && <ProblemAlert error={deletion.error} />}
        {freed.data !== undefined && (
          <Content component="p">
            {text.volumes.alone}:{' '}
            <Figure
              of={`/space/freed?ids=${snapshot.id}`}
              at="/bytes"
              value={freed.data.bytes}
              unit="bytes"
            />
          </Content>
        )}
        <Content component="p">{text.volumes.deleteBin}</Content>
        <Commands call={wanted} />
      </ModalBody>
      <ModalFooter>
        <Button
          variant="danger"
          isLoading={deletion.isPending}
          isDisabled={deletion.isPending}
          onClick={() => deletion.mutate()}
        >
          {text.common.delete}
        </Button>
        <Button variant="link" onClick={close}>
          {text.common.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
