import { leases } from '../apis/coordination/lease/definition.ts';
import { configMaps } from '../apis/core/config-map/definition.ts';
import { events } from '../apis/core/event/definition.ts';
import { namespaces } from '../apis/core/namespace/definition.ts';
import { secrets } from '../apis/core/secret/definition.ts';
import { serviceAccounts } from '../apis/core/service-account/definition.ts';
import { eventsOfEventsGroup } from '../apis/events/event/definition.ts';
import { clusterRoleBindings } from '../apis/rbac/cluster-role-binding/definition.ts';
import { clusterRoles } from '../apis/rbac/cluster-role/definition.ts';
import { roleBindings } from '../apis/rbac/role-binding/definition.ts';
import { roles } from '../apis/rbac/role/definition.ts';
import type { ResourceDefinition } from '../server/registry/definition.ts';

/** Kinds with behaviour of their own; every other built-in kind follows the generic rules. */
export function resourceDefinitions(): readonly ResourceDefinition[] {
  return [
    configMaps,
    namespaces,
    secrets,
    serviceAccounts,
    clusterRoleBindings,
    clusterRoles,
    roleBindings,
    roles,
    events,
    eventsOfEventsGroup,
    leases,
  ];
}
