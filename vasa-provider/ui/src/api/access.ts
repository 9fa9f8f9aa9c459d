import { OPERATIONS } from '../generated/operations';
import type { OperationKey } from './call';
import type { OwnSession } from './session';

/** Roles in order: each may do what those before it may. */
const ROLES = ['operator', 'vm-admin', 'storage-admin', 'admin'] as const;

export interface Access {
  allowed: boolean;
  /** The role that is needed. */
  needed: string;
}

/** Whether a session's role suffices for an operation. The server has the last word. */
export function accessTo(own: Pick<OwnSession, 'role'>, key: OperationKey): Access {
  const operation: {
    role: string | null;
    withinContainers: boolean;
    ownAccount: boolean;
  } = OPERATIONS[key];
  const needed = operation.role;
  if (needed === null || operation.ownAccount) {
    return { allowed: true, needed: needed ?? '' };
  }
  if (own.role === 'volume-admin') {
    return { allowed: operation.withinContainers, needed };
  }
  const has = ROLES.indexOf(own.role as (typeof ROLES)[number]);
  return { allowed: has >= ROLES.indexOf(needed as (typeof ROLES)[number]), needed };
}
