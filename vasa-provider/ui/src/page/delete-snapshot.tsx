import { Content } from '@patternfly/react-core';
import { call } from '../api/call';
import { send } from '../api/send';
import { Ask } from '../kit/ask';
import { useText } from '../text/preferences';
import { Freed } from './freed';
import { toastDeleted } from './restore';

interface Props {
  id: string;
  name: string;
  close: () => void;
}

/** The question before a snapshot is deleted: what that frees, and that it can be undone. */
export function DeleteSnapshot({ id, name, close }: Props) {
  const text = useText();
  const wanted = call('DELETE /snapshots/{id}', { path: { id } });
  return (
    <Ask
      title={text.object.deleteSnapshot(name)}
      action={text.common.delete}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        toastDeleted([{ id, name }], text);
        close();
      }}
      close={close}
    >
      <Freed ids={[id]} />
      <Content component="p">{text.volumes.deleteBin}</Content>
    </Ask>
  );
}
