import { namespaces } from '../apis/core/namespace/definition.ts';
import { clusterRoleBindings } from '../apis/rbac/cluster-role-binding/definition.ts';
import { clusterRoles } from '../apis/rbac/cluster-role/definition.ts';
import { roleBindings } from '../apis/rbac/role-binding/definition.ts';
import { roles } from '../apis/rbac/role/definition.ts';
import type { ResourceDefinition } from '../server/registry/definition.ts';

/** Kinds with behaviour of their own; every other built-in kind follows the generic rules. */
export function resourceDefinitions(): readonly ResourceDefinition[] {
  return [namespaces, clusterRoleBindings, clusterRoles, roleBindings, roles];
}
