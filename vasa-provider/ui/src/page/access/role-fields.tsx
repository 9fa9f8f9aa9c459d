import { useMemo } from 'react';
import { call, type Output } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { ChoiceField } from '../../kit/field';
import { type Choice, Picker } from '../../kit/picker';
import { useText } from '../../text/preferences';
import type { Role, RoleDraft } from './roles';

type Container = Output<'GET /containers'>['items'][number];

const PAGE: PageCall<Container> = (query) => call('GET /containers', { query });

/** All containers, to be chosen. */
export function useContainerChoices(): readonly Choice[] {
  const { data } = useRows(['containers'], PAGE);
  return useMemo(() => (data?.rows ?? []).map(({ id, name }) => ({ id, name })), [data]);
}

/** The names of containers; the id of one that is not known. */
export function namesOf(ids: readonly string[] | null, choices: readonly Choice[]): string {
  return (ids ?? []).map((id) => choices.find((one) => one.id === id)?.name ?? id).join(', ');
}

interface Props {
  draft: RoleDraft;
  set: (change: Partial<RoleDraft>) => void;
  roles: readonly Role[];
}

/** The choice of a role, and of the containers that it is bound to. */
export function RoleFields({ draft, set, roles }: Props) {
  const text = useText();
  const t = text.access;
  const containers = useContainerChoices();
  return (
    <>
      <ChoiceField
        label={t.role}
        value={draft.role}
        set={(role) => set({ role: role as Role })}
        choices={roles.map((role) => ({ value: role, label: t.roles[role] }))}
      />
      {draft.role === 'volume-admin' && (
        <Picker
          label={t.containers}
          choices={containers}
          chosen={draft.containers}
          set={(chosen) => set({ containers: chosen })}
          isRequired
        />
      )}
      {draft.role === 'volume-admin' && draft.containers.length === 0 && <p>{t.containersNeeded}</p>}
    </>
  );
}
