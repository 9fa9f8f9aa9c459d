import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { call, type Call } from '../../api/call';
import { useRows } from '../../api/lists';
import { send, type Tagged } from '../../api/send';
import { ActionButton } from '../../kit/action-button';
import { EditForm } from '../../kit/edit-form';
import { Facts } from '../../kit/facts';
import { ChoiceField } from '../../kit/field';
import { QueryCard } from '../../kit/query-card';
import { toast } from '../../kit/toasts';
import { useText } from '../../text/preferences';
import { POLICIES, type Policy } from '../policy/policy';

const TYPES = ['Config', 'Data', 'Swap', 'Memory', 'Other'] as const;
const NONE = '';

type VolumeType = (typeof TYPES)[number];

/** The ids of policies, by the type of volume. */
type Defaults = Record<string, string>;

/** The policies of volumes that come to a container without one, by their type. */
export function DefaultPolicies({ id }: { id: string }) {
  const text = useText();
  const t = text.containers;
  const queries = useQueryClient();
  const [changing, setChanging] = useState<VolumeType | undefined>();
  const policies = useRows(['policies'], POLICIES).data?.rows ?? [];
  const defaults = useQuery({
    queryKey: ['containers', 'defaults', id],
    queryFn: ({ signal }) => send(readOf(id), signal),
  });
  return (
    <QueryCard title={t.defaults} query={defaults}>
      {(found) => (
        <>
          <Facts
            of={TYPES.map((type) => [
              type,
              <>
                <PolicyName id={found[type]} policies={policies} />{' '}
                <ActionButton
                  operation="PUT /containers/{id}/default-policies/{type}"
                  variant="link"
                  isInline
                  aria-label={t.changeOf(type)}
                  onClick={() => setChanging(type)}
                >
                  {t.change}
                </ActionButton>
              </>,
            ])}
          />
          {changing !== undefined && (
            <ChangeDefault
              id={id}
              type={changing}
              policies={policies}
              saved={() => {
                toast('success', t.defaultSet(changing));
                void queries.invalidateQueries({ queryKey: ['containers', 'defaults', id] });
              }}
              close={() => setChanging(undefined)}
            />
          )}
        </>
      )}
    </QueryCard>
  );
}

function readOf(id: string): Call<Defaults> {
  return call('GET /containers/{id}/default-policies', { path: { id } });
}

function PolicyName({ id, policies }: { id: string | undefined; policies: readonly Policy[] }) {
  const text = useText();
  return id === undefined ? (
    <span className="c-quiet">{text.containers.noPolicy}</span>
  ) : (
    <Link to={`/policies/${id}`}>{nameOf(id, policies)}</Link>
  );
}

function nameOf(id: string, policies: readonly Policy[]): string {
  return policies.find((one) => one.id === id)?.name ?? id;
}

interface ChangeProps {
  id: string;
  type: VolumeType;
  policies: readonly Policy[];
  saved: () => void;
  close: () => void;
}

function ChangeDefault({ id, type, policies, saved, close }: ChangeProps) {
  const text = useText();
  const t = text.containers;
  const offered = policies.filter(({ containers }) => containers === null || containers.includes(id));
  return (
    <EditForm
      title={t.defaultTitle(type)}
      read={readOf(id)}
      draftOf={(now: Defaults) => ({ policy: now[type] ?? NONE })}
      change={(draft, base) => changeOf(id, type, draft.policy, base)}
      compared={TYPES.map((one) => ({
        label: one,
        shown: (defaults: Defaults) => nameOf(defaults[one] ?? NONE, policies),
      }))}
      saved={saved}
      close={close}
    >
      {(draft, set) => (
        <ChoiceField
          label={text.volumes.policy}
          value={draft.policy}
          set={(policy) => set({ policy })}
          choices={[
            { value: NONE, label: t.noPolicy },
            ...offered.map((one) => ({ value: one.id, label: one.name })),
          ]}
        />
      )}
    </EditForm>
  );
}

function changeOf(
  id: string,
  type: VolumeType,
  policy: string,
  base: Tagged<Defaults>,
): Call | undefined {
  const path = { id, type };
  const ifMatch = base.tag ?? undefined;
  if (policy === (base.value[type] ?? NONE)) {
    return undefined;
  }
  return policy === NONE
    ? call('DELETE /containers/{id}/default-policies/{type}', { path, ifMatch })
    : call('PUT /containers/{id}/default-policies/{type}', { path, body: { policy }, ifMatch });
}
