// Upstream: k8s.io/kubernetes/pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go
import { semanticDeepEqual } from '../../machinery/deep-equal.ts';
import { selectorOf } from '../../machinery/label-selector.ts';
import type { LabelSelector } from '../../machinery/label-selector.ts';
import type { ClusterRole, PolicyRule } from '../../schema/types/rbac-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { defineController } from '../common/controller.ts';
import { WorkQueue } from '../common/work-queue.ts';

type Role = ClusterRole & KubeObject;

const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const fieldManager = 'clusterrole-aggregation-controller';

/** Fills roles that are made of others, such as admin, edit and view. */
export const clusterRoleAggregation = defineController({
  name: 'clusterrole-aggregation-controller',
  account: 'clusterrole-aggregation-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const roles = informers.of<Role>(path);
    const queue = new WorkQueue<string>({
      name: 'ClusterRoleAggregator',
      metrics,
      clock,
      log,
      async process(name) {
        const role = roles.get('', name);
        if (role?.aggregationRule === undefined) return;
        const rules = aggregatedRules(role, [...roles.values()]);
        if (semanticDeepEqual(rules, role.rules)) return;
        const applied = {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          metadata: { name },
          ...(rules.length > 0 && { rules }),
        };
        await client.apply(`${path}/${encodeURIComponent(name)}`, applied, fieldManager);
      },
    });
    // Who depends on whom is not known, and there are few.
    const lookAtAll = (): void => {
      for (const { metadata, aggregationRule } of roles.values()) if (aggregationRule !== undefined) queue.add(metadata.name as string);
    };
    using _roles = roles.subscribe({ changed: lookAtAll, deleted: lookAtAll });
    await queue.run(signal, roles.synced);
  },
});

/** The rules of the roles that are selected, each once: selectors in their order, roles by name. */
export function aggregatedRules({ metadata, aggregationRule }: Role, roles: readonly Role[]): PolicyRule[] {
  const others = roles.filter((role) => role.metadata.name !== metadata.name).toSorted(byName);
  const rules: PolicyRule[] = [];
  for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
    const parsed = selectorOf(selector as LabelSelector);
    for (const role of others) {
      if (!parsed.matches(role.metadata.labels ?? {})) continue;
      for (const rule of role.rules ?? []) if (!rules.some((known) => semanticDeepEqual(known, rule))) rules.push(rule);
    }
  }
  return rules;
}

function byName(a: Role, b: Role): number {
  return (a.metadata.name as string) < (b.metadata.name as string) ? -1 : 1;
}
