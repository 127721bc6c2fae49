// Upstream: apiserver/pkg/apis/flowcontrol/bootstrap/default.go, pkg/registry/flowcontrol/rest/storage_flowcontrol.go
import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
  Subject,
} from '../../schema/types/flowcontrol-v1.ts';
import type { PostStartHook } from '../../server/api-server.ts';
import type { BootstrapWriter } from './bootstrap-writer.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const manager = 'api-priority-and-fairness-config-producer-v1';
/** The original keeps the spec of objects that carry this as it wants them. */
const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };

/** Share of the server, percentage that others may borrow, and [queues, hand size] where requests wait at all. */
const limitedLevels: Readonly<Record<string, readonly [shares: number, lendable: number, queuing?: readonly [number, number]]>> = {
  'catch-all': [5, 0],
  'global-default': [20, 50, [128, 6]],
  'leader-election': [10, 0, [16, 4]],
  'node-high': [40, 25, [64, 6]],
  system: [30, 33, [64, 6]],
  'workload-high': [40, 50, [128, 6]],
  'workload-low': [100, 90, [128, 6]],
};
const queueLengthLimit = 50;

const everything: Omit<PolicyRulesWithSubjects, 'subjects'> = {
  nonResourceRules: [{ nonResourceURLs: ['*'], verbs: ['*'] }],
  resourceRules: [{ apiGroups: ['*'], clusterScope: true, namespaces: ['*'], resources: ['*'], verbs: ['*'] }],
};
const byGroup = (name: string): Subject => ({ kind: 'Group', group: { name } });
const byUser = (name: string): Subject => ({ kind: 'User', user: { name } });
const systemAccounts: Subject = { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'kube-system' } };
const everybody = [byGroup('system:unauthenticated'), byGroup('system:authenticated')];
const [manages, schedules] = [byUser('system:kube-controller-manager'), byUser('system:kube-scheduler')];
const nodes = [byGroup('system:nodes')];

const flows: readonly (readonly [
  name: string,
  level: string,
  precedence: number,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  rule: PolicyRulesWithSubjects,
])[] = [
  ['exempt', 'exempt', 1, undefined, { ...everything, subjects: [byGroup('system:masters')] }],
  [
    'probes',
    'exempt',
    2,
    undefined,
    { nonResourceRules: [{ nonResourceURLs: ['/healthz', '/readyz', '/livez'], verbs: ['get'] }], subjects: everybody },
  ],
  [
    'system-leader-election',
    'leader-election',
    100,
    'ByUser',
    { resourceRules: [leases(['get', 'create', 'update'])], subjects: [manages, schedules, systemAccounts] },
  ],
  [
    'system-node-high',
    'node-high',
    400,
    'ByUser',
    {
      resourceRules: [
        { apiGroups: [''], clusterScope: true, namespaces: ['*'], resources: ['nodes', 'nodes/status'], verbs: ['*'] },
        leases(['*']),
      ],
      subjects: nodes,
    },
  ],
  ['system-nodes', 'system', 500, 'ByUser', { ...everything, subjects: nodes }],
  ['kube-controller-manager', 'workload-high', 800, 'ByNamespace', { ...everything, subjects: [manages] }],
  ['kube-scheduler', 'workload-high', 800, 'ByNamespace', { ...everything, subjects: [schedules] }],
  ['kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', { ...everything, subjects: [systemAccounts] }],
  ['service-accounts', 'workload-low', 9000, 'ByUser', { ...everything, subjects: [byGroup('system:serviceaccounts')] }],
  ['global-default', 'global-default', 9900, 'ByUser', { ...everything, subjects: everybody }],
  ['catch-all', 'catch-all', 10000, 'ByUser', { ...everything, subjects: everybody }],
];

/** Which requests belong together, and how much of the server each sort may use. What an administrator has changed stays. */
export function flowControlHook(writer: BootstrapWriter): PostStartHook {
  return {
    name: 'priority-and-fairness-config-producer',
    run: async () => {
      const levels = Object.keys(limitedLevels).map((name) => level(name, limited(name)));
      levels.push(level('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }));
      await Promise.all(levels.map((one) => writer.ensure(group, 'prioritylevelconfigurations', one, manager)));
      await Promise.all(flows.map((flow) => writer.ensure(group, 'flowschemas', schema(flow), manager)));
    },
  };
}

function leases(verbs: string[]): NonNullable<PolicyRulesWithSubjects['resourceRules']>[number] {
  return { apiGroups: ['coordination.k8s.io'], namespaces: ['*'], resources: ['leases'], verbs };
}

function level(name: string, spec: PriorityLevelConfigurationSpec) {
  return { metadata: { name, annotations }, spec };
}

function limited(name: string): PriorityLevelConfigurationSpec {
  const [nominalConcurrencyShares, lendablePercent, queuing] = limitedLevels[name] as (typeof limitedLevels)[string];
  const limitResponse =
    queuing === undefined ? { type: 'Reject' } : { type: 'Queue', queuing: { queues: queuing[0], handSize: queuing[1], queueLengthLimit } };
  return { type: 'Limited', limited: { nominalConcurrencyShares, lendablePercent, limitResponse } };
}

function schema([name, levelName, matchingPrecedence, distinguisher, rule]: (typeof flows)[number]) {
  const spec: FlowSchemaSpec = {
    priorityLevelConfiguration: { name: levelName },
    matchingPrecedence,
    ...(distinguisher !== undefined && { distinguisherMethod: { type: distinguisher } }),
    rules: [rule],
  };
  return { metadata: { name, annotations }, spec };
}
