import { OPERATIONS } from '../../generated/operations';
import type { OperationKey } from '../../api/call';
import type { OwnSession } from '../../api/session';

export type Role = OwnSession['role'];

/** Roles, the least first. One bound to containers stands beside the others, so it is the last. */
const ROLES: readonly Role[] = ['operator', 'vm-admin', 'storage-admin', 'admin', 'volume-admin'];

/** A role as it is typed, with the containers that a volume-admin is bound to. */
export interface RoleDraft {
  role: Role;
  containers: readonly string[];
}

/** The roles that somebody may give to a token: no more than the own one. */
export function rolesUpTo(own: Role): readonly Role[] {
  switch (own) {
    case 'admin':
      return ROLES;
    case 'volume-admin':
      return ['volume-admin'];
    default:
      return ROLES.slice(0, ROLES.indexOf(own) + 1);
  }
}

/** What is sent for a role; absent while a container is missing. */
export function roleBody(draft: RoleDraft): { role: Role; containers?: string[] } | undefined {
  const { role, containers } = draft;
  if (role !== 'volume-admin') {
    return { role };
  }
  return containers.length === 0 ? undefined : { role, containers: [...containers] };
}

/** Whether a draft is what somebody has already. */
export function isSameRole(draft: RoleDraft, now: { role: Role; containers: string[] | null }): boolean {
  const before = now.containers ?? [];
  return (
    draft.role === now.role &&
    (draft.role !== 'volume-admin' ||
      (draft.containers.length === before.length &&
        draft.containers.every((id) => before.includes(id))))
  );
}

/** What a role may do, and which it takes. */
export interface OperationRow {
  key: OperationKey;
  summary: string;
  role: string | null;
  volumeAdmin: boolean;
  ownAccount: boolean;
}

/** All operations of the API. */
export function operationRows(): OperationRow[] {
  return (Object.keys(OPERATIONS) as OperationKey[]).map((key) => {
    const { summary, role, withinContainers, ownAccount } = OPERATIONS[key];
    return { key, summary, role, volumeAdmin: withinContainers, ownAccount };
  });
}
