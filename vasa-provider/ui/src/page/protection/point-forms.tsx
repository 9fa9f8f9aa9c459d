import { Checkbox, Content } from '@patternfly/react-core';
import { useId, useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import type { Point } from './protection';

interface Props {
  point: Point;
  close: () => void;
}

/** The question before a recovery point is deleted. From the bin it comes back with its snapshots. */
export function DeletePoint({ point, close }: Props) {
  const text = useText();
  const t = text.protection;
  const checkbox = useId();
  const [purge, setPurge] = useState(false);
  const { id, name } = point;
  const wanted = call('DELETE /recovery-points/{id}', {
    path: { id },
    query: purge ? { purge } : {},
  });
  return (
    <Ask
      title={text.forms.edit.deleteTitle(name)}
      action={text.common.delete}
      danger
      wanted={wanted}
      run={() => send(wanted)}
      done={() => {
        const undo = () => void restore(point, text.volumes.restored(name));
        toast('success', text.forms.edit.deleted(name), purge ? undefined : undo);
        close();
      }}
      close={close}
    >
      <Content component="p">{purge ? text.bin.purgeText : t.deletePointText}</Content>
      <Checkbox
        id={checkbox}
        label={t.purge}
        isChecked={purge}
        onChange={(_, checked) => setPurge(checked)}
      />
    </Ask>
  );
}

/** Brings the snapshots of a deleted point back, and with them the point. */
async function restore({ snapshots }: Point, done: string): Promise<void> {
  try {
    for (const id of snapshots) {
      await send(call('POST /bin/{id}/restore', { path: { id } }));
    }
    toast('success', done);
  } catch (e) {
    toast('danger', e instanceof Error ? e.message : String(e));
  }
}
