import { Content } from '@patternfly/react-core';
import { useState } from 'react';
import type { Call } from '../api/call';
import { send } from '../api/send';
import { Ask } from '../kit/ask';
import { DurationField } from '../kit/duration-field';
import { toast } from '../kit/toasts';
import { isoOf, type Span } from '../text/duration';
import { useFormat, useText } from '../text/preferences';

interface Props {
  name: string;
  /** The call that locks it for a time (ISO 8601) from now on. */
  lock: (lockFor: string) => Call<{ lockedUntil: string | null }>;
  /** Called once it is locked. */
  locked?: () => void;
  close: () => void;
}

/** The form that locks a copy, or lengthens its lock. */
export function LockIt({ name, lock, locked, close }: Props) {
  const text = useText();
  const format = useFormat();
  const t = text.protection;
  const [span, setSpan] = useState<Span>({ amount: '7', unit: 'day' });
  const lockFor = isoOf(span);
  const wanted = typeof lockFor === 'string' ? lock(lockFor) : undefined;

  async function run(): Promise<void> {
    if (wanted !== undefined) {
      const { lockedUntil } = await send(wanted);
      toast('success', t.locked(name, lockedUntil === null ? '' : format.time(lockedUntil)));
      locked?.();
    }
  }

  return (
    <Ask
      title={t.lockTitle(name)}
      action={t.lockPoint}
      wanted={wanted}
      waits={wanted === undefined}
      run={run}
      close={close}
    >
      <DurationField label={t.lockFor} isRequired value={span} set={setSpan} />
      <Content component="p">{t.lockText}</Content>
    </Ask>
  );
}
