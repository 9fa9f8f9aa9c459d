import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call';
import { send } from '../api/send';
import { Ask } from '../kit/ask';
import { ChoiceField } from '../kit/field';
import { ProblemAlert } from '../kit/problem-alert';
import { toast } from '../kit/toasts';
import { parseSize } from '../text/format';
import { useText } from '../text/preferences';
import { ContainerField, NameField, SizeField } from './volume-fields';

const DEFAULT = '';
const MOST_SHOWN = 1000;

/** The form for a new volume. */
export function CreateVolume({ close }: { close: () => void }) {
  const text = useText();
  const [name, setName] = useState('');
  const [size, setSize] = useState('10 GiB');
  const [container, setContainer] = useState('');
  const [policy, setPolicy] = useState(DEFAULT);
  const containers = useQuery({
    queryKey: ['containers', 'names'],
    queryFn: ({ signal }) =>
      send(call('GET /containers', { query: { limit: MOST_SHOWN, sort: 'name' } }), signal),
  });
  const policies = useQuery({
    queryKey: ['policies', 'names'],
    queryFn: ({ signal }) =>
      send(call('GET /policies', { query: { limit: MOST_SHOWN, sort: 'name' } }), signal),
  });
  const chosen = container || (containers.data?.items[0]?.id ?? '');
  const bytes = parseSize(size);
  const isWhole = name.trim() !== '' && bytes !== undefined && chosen !== '';
  const wanted = isWhole
    ? call('POST /volumes', {
        body: {
          name,
          size: bytes,
          container: chosen,
          ...(policy === DEFAULT ? {} : { policy }),
        },
      })
    : undefined;
  return (
    <Ask
      title={text.volumes.create}
      wide
      wanted={wanted}
      waits={wanted === undefined}
      run={() => send(wanted!)}
      done={() => {
        toast('success', text.volumes.created_(name));
        close();
      }}
      close={close}
    >
      {containers.isError && <ProblemAlert error={containers.error} />}
      <NameField value={name} set={setName} autoFocus />
      <SizeField value={size} set={setSize} />
      {containers.data !== undefined && (
        <ContainerField value={chosen} set={setContainer} containers={containers.data.items} />
      )}
      <ChoiceField
        label={text.volumes.policy}
        value={policy}
        set={setPolicy}
        choices={[
          { value: DEFAULT, label: text.volumes.defaultPolicy },
          ...(policies.data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
        ]}
      />
    </Ask>
  );
}
