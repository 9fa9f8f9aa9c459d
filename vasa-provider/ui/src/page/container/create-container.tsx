import { useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { DurationField } from '../../kit/duration-field';
import { TextField } from '../../kit/field';
import { toast } from '../../kit/toasts';
import { isoOf, type Span, spanOf } from '../../text/duration';
import { parseSize } from '../../text/format';
import { useText } from '../../text/preferences';
import { QuotaField } from './quota-field';

/** The form for a new container. */
export function CreateContainer({ close }: { close: () => void }) {
  const text = useText();
  const t = text.containers;
  const [name, setName] = useState('');
  const [quota, setQuota] = useState('100 GiB');
  const [binTime, setBinTime] = useState<Span>(spanOf(null));
  const wanted = wantedOf(name, quota, binTime);
  return (
    <Ask
      title={t.create}
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => wanted && send(wanted)}
      done={() => {
        toast('success', text.forms.edit.created(name));
        close();
      }}
      close={close}
    >
      <TextField
        label={text.volumes.name}
        isRequired
        autoFocus
        maxLength={80}
        value={name}
        set={setName}
      />
      <QuotaField value={quota} set={setQuota} />
      <DurationField
        label={t.binTime}
        help={t.binHelp}
        placeholder={t.binTimes.default}
        value={binTime}
        set={setBinTime}
      />
    </Ask>
  );
}

function wantedOf(name: string, quotaText: string, binSpan: Span) {
  const quota = parseSize(quotaText);
  const binTime = isoOf(binSpan);
  return name.trim() === '' || quota === undefined || binTime === undefined
    ? undefined
    : call('POST /containers', { body: { name, quota, ...(binTime === null ? {} : { binTime }) } });
}
