import { Content } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { Ask } from '../../kit/ask';
import { ChoiceField } from '../../kit/field';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import { nameOf, type Vvol } from '../volumes-page';

const NONE = '';
const MOST_SHOWN = 1000;

interface Props {
  volumes: readonly Vvol[];
  done: () => void;
  close: () => void;
}

/** The form that gives several volumes a policy, one after the other. */
export function SetPolicy({ volumes, done, close }: Props) {
  const text = useText();
  const t = text.volume;
  const [policy, setPolicy] = useState(NONE);
  const policies = useQuery({
    queryKey: ['policies', 'names'],
    queryFn: ({ signal }) =>
      send(call('GET /policies', { query: { limit: MOST_SHOWN, sort: 'name' } }), signal),
  });
  const callOf = ({ id }: Vvol) =>
    call('PATCH /volumes/{id}', { path: { id }, body: { policy } });

  async function run(): Promise<void> {
    for (const volume of volumes) {
      await send(callOf(volume));
    }
    toast('success', t.policySet(volumes.length));
  }

  return (
    <Ask
      title={t.setPolicyTitle(volumes.length)}
      action={t.setPolicy}
      wide
      wanted={policy !== NONE && volumes.length === 1 ? callOf(volumes[0]!) : undefined}
      waits={policy === NONE}
      run={run}
      done={done}
      close={close}
    >
      <Content component="p">{volumes.map(nameOf).join(', ')}</Content>
      <ChoiceField
        label={text.volumes.policy}
        value={policy}
        set={setPolicy}
        isRequired
        choices={[
          { value: NONE, label: '' },
          ...(policies.data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
        ]}
      />
    </Ask>
  );
}
