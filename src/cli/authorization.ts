// Upstream: pkg/kubeapiserver/authorizer/config.go
import type { Authorizer } from '../server/authz/authorizer.ts';
import { alwaysAllow, alwaysDeny, privilegedGroupAuthorizer, unionAuthorizer } from '../server/authz/authorizer.ts';
import { rbacAuthorizer, RbacRules } from '../server/authz/rbac.ts';
import type { Cluster } from '../server/registry/cluster.ts';

/** Authorizers that exist, by mode. */
const byMode: Readonly<Record<string, (cluster: Cluster) => Authorizer>> = {
  AlwaysAllow: () => alwaysAllow,
  AlwaysDeny: () => alwaysDeny,
  RBAC: (cluster) => rbacAuthorizer(new RbacRules(cluster)),
};

/** Modes that were asked for and do not exist yet: they have no opinion. */
export function missingModes(modes: readonly string[]): string[] {
  return modes.filter((mode) => byMode[mode] === undefined);
}

export function buildAuthorizer(modes: readonly string[], cluster: Cluster): Authorizer {
  return unionAuthorizer([privilegedGroupAuthorizer, ...modes.flatMap((mode) => byMode[mode]?.(cluster) ?? [])]);
}
