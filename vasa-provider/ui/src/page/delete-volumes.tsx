import { Content } from '@patternfly/react-core';
import { call } from '../api/call';
import { send } from '../api/send';
import { Ask } from '../kit/ask';
import { useText } from '../text/preferences';
import { Freed, MOST_ASKED } from './freed';
import { toastDeleted } from './restore';
import { nameOf, type Vvol } from './volumes-page';

/** The question before volumes are deleted: what that frees, and that it can be undone. */
export function DeleteVolumes(props: {
  volumes: readonly Vvol[];
  done: () => void;
  close: () => void;
}) {
  const { volumes, done, close } = props;
  const text = useText();
  const callOf = (volume: Vvol) => call('DELETE /volumes/{id}', { path: { id: volume.id } });

  async function run(): Promise<void> {
    for (const volume of volumes) {
      await send(callOf(volume));
    }
    toastDeleted(
      volumes.map((volume) => ({ id: volume.id, name: nameOf(volume) })),
      text,
    );
  }

  return (
    <Ask
      title={text.volumes.deleteTitle(volumes.length)}
      action={text.common.delete}
      danger
      wide
      wanted={volumes.length === 1 ? callOf(volumes[0]!) : undefined}
      run={run}
      done={done}
      close={close}
    >
      <Content component="ul">
        {volumes.slice(0, MOST_ASKED).map((volume) => (
          <li key={volume.id}>{nameOf(volume)}</li>
        ))}
      </Content>
      <Freed ids={volumes.map((volume) => volume.id)} />
      <Content component="p">{text.volumes.deleteBin}</Content>
    </Ask>
  );
}
