import { Content } from '@patternfly/react-core';
import { useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { DurationField } from '../../kit/duration-field';
import { toast } from '../../kit/toasts';
import { isoOf, secondsOf, type Span } from '../../text/duration';
import { useFormat, useText } from '../../text/preferences';
import type { Container } from './container';

/** The form that asks another administrator to approve a shorter time in the recycle bin. */
export function ShortenBin({ container, close }: { container: Container; close: () => void }) {
  const text = useText();
  const format = useFormat();
  const t = text.containers;
  const [span, setSpan] = useState<Span>({ amount: '', unit: 'hour' });
  const iso = isoOf(span);
  const isShorter = typeof iso === 'string' && (secondsOf(iso) ?? 0) < (secondsOf(container.binTime) ?? 0);
  const wanted = isShorter
    ? call('POST /approvals', {
        body: { action: 'lower-bin-time', value: `${container.id} ${iso}` },
      })
    : undefined;
  return (
    <Ask
      title={t.shorten}
      danger
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => wanted && send(wanted)}
      done={() => {
        toast('info', t.asked);
        close();
      }}
      close={close}
    >
      <Content component="p">{t.shortenText}</Content>
      <DurationField
        label={t.binTime}
        isRequired
        help={t.shortenWrong(format.duration(container.binTime))}
        wrong={
          iso === null || isShorter ? undefined : t.shortenWrong(format.duration(container.binTime))
        }
        value={span}
        set={setSpan}
      />
    </Ask>
  );
}
