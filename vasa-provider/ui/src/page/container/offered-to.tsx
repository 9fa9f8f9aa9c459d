import { Content } from '@patternfly/react-core';
import { useState } from 'react';
import { call, type Call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { Ask } from '../../kit/ask';
import { ChoiceField } from '../../kit/field';
import { Picker } from '../../kit/picker';
import { QueryCard } from '../../kit/query-card';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import type { Container } from './container';

type Registration = Output<'GET /registrations'>['items'][number];

const REGISTRATIONS: PageCall<Registration> = (query) => call('GET /registrations', { query });

/** The vCenters that a container is offered to. */
export function OfferedTo({ container }: { container: Container }) {
  const text = useText();
  const t = text.containers;
  const registrations = useRows(['registrations'], REGISTRATIONS);
  const [asking, setAsking] = useState(false);
  const limit = container.registrations;
  return (
    <QueryCard title={t.offered} query={registrations}>
      {({ rows }) => (
        <>
          {limit === null && <p>{t.offeredToAll}</p>}
          {rows.length === 0 && <p className="c-quiet">{t.noRegistrations}</p>}
          <Content component="ul">
            {rows
              .filter(({ id }) => limit === null || limit.includes(id))
              .map((one) => (
                <li key={one.id}>
                  {nameOf(one)}, {t.hosts(one.hosts)}
                </li>
              ))}
          </Content>
          <ActionButton
            operation="PUT /containers/{id}/registrations"
            variant="secondary"
            onClick={() => setAsking(true)}
          >
            {t.change}
          </ActionButton>
          {asking && (
            <Offer container={container} registrations={rows} close={() => setAsking(false)} />
          )}
        </>
      )}
    </QueryCard>
  );
}

function nameOf({ address, vcenters }: Registration): string {
  return [address, ...vcenters].join(' ');
}

interface Props {
  container: Container;
  registrations: readonly Registration[];
  close: () => void;
}

function Offer({ container, registrations, close }: Props) {
  const text = useText();
  const t = text.containers;
  const [to, setTo] = useState<string>(container.registrations === null ? 'all' : 'some');
  const [chosen, setChosen] = useState<readonly string[]>(container.registrations ?? []);
  const wanted = to === 'all' ? offerToAll(container) : offerTo(container, chosen);
  return (
    <Ask
      title={t.offerTitle}
      action={text.common.save}
      wanted={wanted}
      waits={wanted === undefined}
      run={async () => wanted && send(wanted)}
      done={() => {
        toast('success', t.offerSaved);
        close();
      }}
      close={close}
    >
      <ChoiceField
        label={t.offerTo}
        value={to}
        set={setTo}
        choices={[
          { value: 'all', label: t.offerAll },
          { value: 'some', label: t.offerSome },
        ]}
      />
      {to === 'some' && (
        <Picker
          label={t.registrations}
          isRequired
          choices={registrations.map((one) => ({ id: one.id, name: nameOf(one) }))}
          chosen={chosen}
          set={setChosen}
        />
      )}
    </Ask>
  );
}

function offerToAll({ id }: Container): Call {
  return call('DELETE /containers/{id}/registrations', { path: { id } });
}

function offerTo({ id }: Container, chosen: readonly string[]): Call | undefined {
  return chosen.length === 0
    ? undefined
    : call('PUT /containers/{id}/registrations', {
        path: { id },
        body: { registrations: [...chosen] },
      });
}
