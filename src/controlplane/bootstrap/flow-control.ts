// Upstream: k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap/default.go
// Upstream: k8s.io/kubernetes/pkg/registry/flowcontrol/{rest/storage_flowcontrol,ensurer/strategy}.go
import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
  Subject,
} from '../../schema/types/flowcontrol-v1.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { VersionedKind } from '../../server/object/versioned-kind.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import {
  flowControlGroup,
  everyRequest,
  everybody,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  subjectGroup,
} from '../../apis/common/flow-control/mandatory.ts';
import type { FlowControlObject } from './auto-update.ts';
import { autoUpdate, revise, saysAutoUpdate } from './auto-update.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import { danglingCondition } from './dangling-condition.ts';
import { periodically } from './periodically.ts';

const manager = 'api-priority-and-fairness-config-producer-v1';
const intervalMs = 60_000;

/** Share of the server, percentage that others may borrow, and [queues, hand size] of those where requests wait. */
const suggestedLevels: Readonly<Record<string, readonly [shares: number, lendable: number, queues: number, handSize: number]>> = {
  'global-default': [20, 50, 128, 6],
  'leader-election': [10, 0, 16, 4],
  'node-high': [40, 25, 64, 6],
  system: [30, 33, 64, 6],
  'workload-high': [40, 50, 128, 6],
  'workload-low': [100, 90, 128, 6],
};
const queueLengthLimit = 50;

const byUser = (name: string): Subject => ({ kind: 'User', user: { name } });
const systemAccounts: Subject = { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'kube-system' } };
const [manages, schedules] = [byUser('system:kube-controller-manager'), byUser('system:kube-scheduler')];
const nodes = [subjectGroup('system:nodes')];

const suggestedFlows: readonly (readonly [
  name: string,
  level: string,
  precedence: number,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  rule: PolicyRulesWithSubjects,
])[] = [
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
  ['system-nodes', 'system', 500, 'ByUser', { ...everyRequest, subjects: nodes }],
  ['kube-controller-manager', 'workload-high', 800, 'ByNamespace', { ...everyRequest, subjects: [manages] }],
  ['kube-scheduler', 'workload-high', 800, 'ByNamespace', { ...everyRequest, subjects: [schedules] }],
  ['kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', { ...everyRequest, subjects: [systemAccounts] }],
  ['service-accounts', 'workload-low', 9000, 'ByUser', { ...everyRequest, subjects: [subjectGroup('system:serviceaccounts')] }],
  ['global-default', 'global-default', 9900, 'ByUser', { ...everyRequest, subjects: everybody }],
];

interface Wanted {
  readonly name: string;
  readonly spec: FlowControlObject['spec'];
  readonly mandatory: boolean;
  /** what will be said of it right after it was created */
  readonly status?: object;
}

const levels: readonly Wanted[] = [
  ...Object.keys(suggestedLevels).map((name) => ({ name, spec: suggestedLevel(name), mandatory: false })),
  ...Object.entries(mandatoryPriorityLevels).map(([name, spec]) => ({ name, spec, mandatory: true })),
];
const schemas: readonly Wanted[] = [
  ...suggestedFlows.map((flow) => ({ name: flow[0], spec: suggestedSchema(flow), mandatory: false })),
  ...Object.entries(mandatoryFlowSchemas).map(([name, spec]) => ({ name, spec, mandatory: true })),
];

export interface FlowControlOptions {
  readonly reader: ObjectReader;
  readonly clock: Clock;
  readonly log: Logger;
  readonly flowControlChanged?: () => Promise<void>;
  /** whether this server says of flow schemas that their levels exist; false: another thread does */
  readonly writesStatus?: boolean;
}

/**
 * Which requests belong together, and how much of the server each sort may use. What an administrator has changed stays, unless it is
 * mandatory; what is missing comes back within a minute.
 */
export function flowControlHook(writer: ServerWriter, options: FlowControlOptions): BootstrapHook {
  const { reader, clock, log, flowControlChanged, writesStatus = true } = options;
  const ensure = async (flows = schemas): Promise<void> => {
    await ensureAll(writer, reader, 'prioritylevelconfigurations', levels);
    await ensureAll(writer, reader, 'flowschemas', flows);
  };
  return {
    name: 'priority-and-fairness-config-producer',
    begin: () => ensure(flowControlChanged !== undefined && writesStatus ? settled(schemas) : schemas),
    run: async (signal) => {
      const failed = (error: unknown): void =>
        log.error('FlowSchemas and PriorityLevelConfigurations could not be written', { err: error });
      periodically(() => ensure(), { everyMs: intervalMs, clock, signal, failed });
    },
  };
}

/** As they are stored when a server has started: their levels are there. */
function settled(flows: readonly Wanted[]): readonly Wanted[] {
  const names = new Set(levels.map(({ name }) => name));
  return flows.map((flow) => {
    const { priorityLevelConfiguration: level } = flow.spec as FlowSchemaSpec;
    return { ...flow, status: { conditions: [danglingCondition(level.name, names)] } };
  });
}

/** Creates what is missing, revises what is kept up to date, and removes what earlier releases have left behind. */
export async function ensureAll(writer: ServerWriter, reader: ObjectReader, plural: string, wanted: readonly Wanted[]): Promise<void> {
  const current = new Map<string, FlowControlObject>();
  for (const object of await reader.list<FlowControlObject>(flowControlGroup, plural, '')) current.set(object.metadata.name ?? '', object);
  const { storage } = reader.resource(flowControlGroup, plural);
  await Promise.all(
    wanted.map(async ({ name, spec, mandatory, status }) => {
      const existing = current.get(name);
      current.delete(name);
      if (existing === undefined) {
        const object = { metadata: { name, annotations: { [autoUpdate]: 'true' } }, spec, ...(status !== undefined && { status }) };
        await writer.ensure(flowControlGroup, plural, object, manager);
      } else if (!isRevised(existing, spec, mandatory, storage)) {
        const edit = (object: FlowControlObject): void => revise(object, spec, mandatory);
        await writer.change<FlowControlObject>(flowControlGroup, plural, { name }, edit, manager);
      }
    }),
  );
  const left = [...current.values()].filter((object) => saysAutoUpdate(object) === true);
  await Promise.all(left.map(({ metadata }) => writer.delete(reader.resource(flowControlGroup, plural), '', metadata.name ?? '')));
}

/** Nothing is left to revise: so are all of them, once a server has started. */
function isRevised(existing: FlowControlObject, spec: FlowControlObject['spec'], mandatory: boolean, storage: VersionedKind): boolean {
  const next = deepCopy(existing);
  revise(next, spec, mandatory);
  storage.applyDefaults(next);
  return deepEqual(next, existing);
}

function leases(verbs: string[]): NonNullable<PolicyRulesWithSubjects['resourceRules']>[number] {
  return { apiGroups: ['coordination.k8s.io'], namespaces: ['*'], resources: ['leases'], verbs };
}

function suggestedLevel(name: string): PriorityLevelConfigurationSpec {
  const [nominalConcurrencyShares, lendablePercent, queues, handSize] = suggestedLevels[name] as (typeof suggestedLevels)[string];
  const limitResponse = { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } };
  return { type: 'Limited', limited: { nominalConcurrencyShares, lendablePercent, limitResponse } };
}

function suggestedSchema([, level, matchingPrecedence, type, rule]: (typeof suggestedFlows)[number]): FlowSchemaSpec {
  const distinguisher = type === undefined ? {} : { distinguisherMethod: { type } };
  return { priorityLevelConfiguration: { name: level }, matchingPrecedence, ...distinguisher, rules: [rule] };
}
