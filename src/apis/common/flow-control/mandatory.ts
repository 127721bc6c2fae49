// Upstream: k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap/default.go
// What priority and fairness cannot do without. No client may change these, and the server creates them again after a deletion.
import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
  Subject,
} from '../../../schema/types/flowcontrol-v1.ts';

export const flowControlGroup = 'flowcontrol.apiserver.k8s.io';
/** What has this name stays outside of all limits. */
export const exemptName = 'exempt';
const catchAll = 'catch-all';

/** Of a rule that is about every request. */
export const everyRequest: Omit<PolicyRulesWithSubjects, 'subjects'> = {
  nonResourceRules: [{ nonResourceURLs: ['*'], verbs: ['*'] }],
  resourceRules: [{ apiGroups: ['*'], clusterScope: true, namespaces: ['*'], resources: ['*'], verbs: ['*'] }],
};
export const everybody: Subject[] = [subjectGroup('system:unauthenticated'), subjectGroup('system:authenticated')];

export const mandatoryPriorityLevels: Readonly<Record<string, PriorityLevelConfigurationSpec>> = {
  [catchAll]: {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
  },
  [exemptName]: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
};

export const mandatoryFlowSchemas: Readonly<Record<string, FlowSchemaSpec>> = {
  [exemptName]: {
    priorityLevelConfiguration: { name: exemptName },
    matchingPrecedence: 1,
    rules: [{ ...everyRequest, subjects: [subjectGroup('system:masters')] }],
  },
  [catchAll]: {
    priorityLevelConfiguration: { name: catchAll },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [{ ...everyRequest, subjects: everybody }],
  },
};

export function subjectGroup(name: string): Subject {
  return { kind: 'Group', group: { name } };
}
