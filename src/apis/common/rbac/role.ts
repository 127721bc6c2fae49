import type { Role } from '../../../schema/types/rbac-v1.ts';

/** A role without rules shows none: protobuf, in which the original stores it, has no empty lists. */
export function roleDefaults(role: Pick<Role, 'rules'>): void {
  if (role.rules?.length === 0) role.rules = null;
}
