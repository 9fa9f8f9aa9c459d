import { TextArea } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Call, type Output } from '../../api/call';
import { send, sendTagged, type Tagged } from '../../api/send';
import { Ask } from '../../kit/ask';
import { ChoiceField, Field, TextField } from '../../kit/field';
import { toast } from '../../kit/toasts';
import type { Text } from '../../text/en';
import { parseSize } from '../../text/format';
import { useFormat, useText } from '../../text/preferences';
import { NameField } from '../volume-fields';
import { changeOf, parseLabels, textOfLabels, type TypedLabels } from './labels';

type Volume = Output<'GET /volumes/{id}'>;

const SAME = '';
const MOST_SHOWN = 1000;

/** The form that changes a volume of administrators: name, size, policy, labels. */
export function EditVolume({ id, close }: { id: string; close: () => void }) {
  const volume = useQuery({
    queryKey: ['volumes', 'edited', id],
    gcTime: 0,
    queryFn: ({ signal }) => sendTagged(call('GET /volumes/{id}', { path: { id } }), signal),
  });
  return volume.data && <EditForm read={volume.data} close={close} />;
}

function EditForm(props: { read: Tagged<Volume>; close: () => void }) {
  const { close } = props;
  const text = useText();
  const format = useFormat();
  const t = text.volume;
  // What was read first: a change by somebody else must not slip into the form.
  const [{ value: volume, tag }] = useState(props.read);
  const [name, setName] = useState(volume.name ?? '');
  const [size, setSize] = useState('');
  const [policy, setPolicy] = useState(SAME);
  const [labels, setLabels] = useState(() => textOfLabels(volume.labels));
  const policies = useQuery({
    queryKey: ['policies', 'names'],
    queryFn: ({ signal }) =>
      send(call('GET /policies', { query: { limit: MOST_SHOWN, sort: 'name' } }), signal),
  });
  const bytes = size.trim() === '' ? volume.size : parseSize(size);
  const typed = parseLabels(labels);
  const wanted = wantedOf();

  function wantedOf(): Call<Volume> | undefined {
    if (name.trim() === '' || bytes === undefined || bytes < volume.size || 'wrong' in typed) {
      return undefined;
    }
    const change = changeOf(volume.labels, typed.labels);
    const body = {
      ...(name === volume.name ? {} : { name }),
      ...(bytes === volume.size ? {} : { size: bytes }),
      ...(policy === SAME ? {} : { policy }),
      ...(Object.keys(change).length === 0 ? {} : { labels: change }),
    };
    return Object.keys(body).length === 0
      ? undefined
      : call('PATCH /volumes/{id}', {
          path: { id: volume.id },
          body,
          ...(tag === null ? {} : { ifMatch: tag }),
        });
  }

  return (
    <Ask
      title={t.editTitle(volume.name ?? volume.id)}
      action={text.common.save}
      wide
      wanted={wanted}
      waits={wanted === undefined}
      run={() => send(wanted!)}
      done={() => {
        toast('success', t.changed(name));
        close();
      }}
      close={close}
    >
      <NameField value={name} set={setName} autoFocus />
      <TextField
        label={text.volumes.size}
        value={size}
        set={setSize}
        placeholder={format.bytes(volume.size)}
        help={size.trim() === '' || bytes === undefined ? t.grows(format.bytes(volume.size)) : format.bytes(bytes)}
        wrong={
          bytes === undefined
            ? text.volumes.sizeWrong
            : bytes < volume.size
              ? t.tooSmall(format.bytes(volume.size))
              : undefined
        }
      />
      <ChoiceField
        label={text.volumes.policy}
        value={policy}
        set={setPolicy}
        choices={[
          { value: SAME, label: t.samePolicy },
          ...(policies.data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
        ]}
      />
      <Field label={t.labels} help={t.labelsHelp} wrong={wrongOf(typed, text)}>
        {(names) => (
          <TextArea {...names} value={labels} onChange={(_, value) => setLabels(value)} />
        )}
      </Field>
    </Ask>
  );
}

function wrongOf(typed: TypedLabels, text: Text): string | undefined {
  if (!('wrong' in typed)) {
    return undefined;
  }
  return typed.wrong === 'line'
    ? text.volume.labelsWrong(typed.text)
    : text.volume.labelTwice(typed.text);
}
