import {
  Button,
  Content,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  Skeleton,
} from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../api/call';
import { send } from '../api/send';
import { Commands } from '../kit/commands';
import { Figure } from '../kit/figure';
import { ProblemAlert } from '../kit/problem-alert';
import { toast } from '../kit/toasts';
import { useText } from '../text/preferences';
import { nameOf, type Vvol } from './volumes-page';

const MOST_ASKED = 100;

/** The question before volumes are deleted: what that frees, and that it can be undone. */
export function DeleteVolumes(props: {
  volumes: readonly Vvol[];
  close: (done: boolean) => void;
}) {
  const { volumes, close } = props;
  const text = useText();
  const ids = volumes.slice(0, MOST_ASKED).map((volume) => volume.id).join(',');
  const freed = useQuery({
    queryKey: ['space', 'freed', ids],
    gcTime: 0,
    queryFn: ({ signal }) => send(call('GET /space/freed', { query: { ids } }), signal),
  });
  const deletion = useMutation({
    mutationFn: async () => {
      for (const volume of volumes) {
        await send(call('DELETE /volumes/{id}', { path: { id: volume.id } }));
      }
    },
    onSuccess: () => {
      const only = volumes.length === 1 ? volumes[0] : undefined;
      toast(
        'success',
        only === undefined
          ? text.volumes.deletedMany(volumes.length)
          : text.volumes.deleted(nameOf(only)),
        () => void restore(),
      );
      close(true);
    },
  });

  async function restore(): Promise<void> {
    for (const volume of volumes) {
      try {
        await send(call('POST /bin/{id}/restore', { path: { id: volume.id } }));
        toast('success', text.volumes.restored(nameOf(volume)));
      } catch (e) {
        toast('danger', e instanceof Error ? e.message : String(e));
      }
    }
  }

  return (
    <Modal isOpen variant="medium" onClose={() => close(false)} aria-labelledby="delete-title">
      <ModalHeader
        title={text.volumes.deleteTitle(volumes.length)}
        labelId="delete-title"
        titleIconVariant="warning"
      />
      <ModalBody>
        {deletion.isError && <ProblemAlert error={deletion.error} />}
        <Content component="ul">
          {volumes.slice(0, MOST_ASKED).map((volume) => (
            <li key={volume.id}>{nameOf(volume)}</li>
          ))}
        </Content>
        {freed.isError ? (
          <ProblemAlert error={freed.error} retry={() => void freed.refetch()} />
        ) : freed.data === undefined ? (
          <Skeleton screenreaderText={text.common.loading} />
        ) : (
          <Content component="p">
            <strong>
              {text.volumes.alone}:{' '}
              <Figure
                of={`/space/freed?ids=${ids}`}
                at="/bytes"
                value={freed.data.bytes}
                unit="bytes"
              />
            </strong>
            <br />
            <span lang="en">{freed.data.sentence}</span>
          </Content>
        )}
        <Content component="p">{text.volumes.deleteBin}</Content>
        {volumes.length === 1 && (
          <Commands call={call('DELETE /volumes/{id}', { path: { id: volumes[0]!.id } })} />
        )}
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
        <Button variant="link" onClick={() => close(false)}>
          {text.common.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
