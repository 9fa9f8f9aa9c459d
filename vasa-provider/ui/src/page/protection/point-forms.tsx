import { Checkbox, Content } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { call, type Call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { DurationField } from '../../kit/duration-field';
import { toast } from '../../kit/toasts';
import { isoOf, type Span } from '../../text/duration';
import { useFormat, useText } from '../../text/preferences';
import type { Point } from './protection';

interface Props {
  point: Point;
  close: () => void;
}

/** The form that locks a recovery point, or lengthens its lock. */
export function LockPoint({ point, close }: Props) {
  const text = useText();
  const format = useFormat();
  const queries = useQueryClient();
  const t = text.protection;
  const [span, setSpan] = useState<Span>({ amount: '7', unit: 'day' });
  const wanted = lockOf(point, span);

  async function lock(made: Call<Point>): Promise<void> {
    const { name, lockedUntil } = await send(made);
    toast('success', t.locked(name, lockedUntil === null ? '' : format.time(lockedUntil)));
    await queries.invalidateQueries({ queryKey: ['protection'] });
  }

  return (
    <Ask
      title={t.lockTitle(point.name)}
      action={t.lockPoint}
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => wanted && lock(wanted)}
      close={close}
    >
      <DurationField label={t.lockFor} isRequired value={span} set={setSpan} />
      <Content component="p">{t.lockText}</Content>
    </Ask>
  );
}

function lockOf({ id }: Point, span: Span): Call<Point> | undefined {
  const lockFor = isoOf(span);
  return typeof lockFor === 'string'
    ? call('POST /recovery-points/{id}/lock', { path: { id }, body: { lockFor } })
    : undefined;
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
