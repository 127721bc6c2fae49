// Upstream: pkg/kubeapiserver/authorizer/config.go
import { rbacPolicy } from '../controlplane/bootstrap/rbac-policy.generated.ts';
import type { Authorizer } from '../server/authz/authorizer.ts';
import { alwaysAllow, alwaysDeny, privilegedGroupAuthorizer, unionAuthorizer } from '../server/authz/authorizer.ts';
import { nodeAuthorizer } from '../server/authz/node.ts';
import { NodeRelations } from '../server/authz/node-relations.ts';
import type { PolicyRule } from '../server/authz/policy-rule.ts';
import { rbacAuthorizer, RbacRules } from '../server/authz/rbac.ts';
import type { FeatureGates } from '../server/features.ts';
import type { Cluster } from '../server/registry/cluster.ts';

type Build = (cluster: Cluster, features: FeatureGates) => Authorizer;

/** Authorizers that exist, by mode. */
const byMode: Readonly<Record<string, Build>> = {
  AlwaysAllow: () => alwaysAllow,
  AlwaysDeny: () => alwaysDeny,
  Node: (cluster, features) => nodeAuthorizer({ relations: new NodeRelations(cluster), features, rules: systemNodeRules() }),
  RBAC: (cluster) => rbacAuthorizer(new RbacRules(cluster)),
};

/** Modes that were asked for and do not exist yet: they have no opinion. */
export function missingModes(modes: readonly string[]): string[] {
  return modes.filter((mode) => byMode[mode] === undefined);
}

export function buildAuthorizer(modes: readonly string[], cluster: Cluster, features: FeatureGates): Authorizer {
  const chosen = modes.flatMap((mode) => {
    const build = byMode[mode];
    return build === undefined ? [] : [{ ...build(cluster, features), name: mode.toLowerCase() }];
  });
  return unionAuthorizer([privilegedGroupAuthorizer, ...chosen]);
}

/** What role system:node has from the start, read when the first node asks. */
function systemNodeRules(): () => readonly PolicyRule[] {
  let known: readonly PolicyRule[] | undefined;
  return () => (known ??= readSystemNodeRules());
}

function readSystemNodeRules(): readonly PolicyRule[] {
  const policy = JSON.parse(rbacPolicy) as readonly { kind: string; metadata: { name: string }; rules?: PolicyRule[] }[];
  return policy.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'system:node')?.rules ?? [];
}
