import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowSchemaSpec, PolicyRulesWithSubjects } from '../../../schema/types/flowcontrol-v1.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import type { FlowSchemaObject } from './validation.ts';
import { validateFlowSchema } from './validation.ts';

const rule: PolicyRulesWithSubjects = {
  subjects: [{ kind: 'User', user: { name: 'jane' } }],
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
};
const good: FlowSchemaSpec = { matchingPrecedence: 500, priorityLevelConfiguration: { name: 'system' }, rules: [rule] };

function faults(spec: Partial<FlowSchemaSpec>): string[] {
  const schema = { metadata: { name: 'mine' }, spec: { ...good, ...spec }, status: {} } as FlowSchemaObject;
  return validateFlowSchema(schema, testContext()).map(String);
}

const urls = (...nonResourceURLs: string[]): Partial<FlowSchemaSpec> => ({
  rules: [{ ...rule, nonResourceRules: [{ verbs: ['get'], nonResourceURLs }] }],
});
const at = 'spec.rules[0].nonResourceRules[0].nonResourceURLs';

const cases: readonly [what: string, spec: Partial<FlowSchemaSpec>, ...expected: string[]][] = [
  ['nothing wrong', {}],
  [
    'the precedence of the exempt',
    { matchingPrecedence: 1 },
    `spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1`,
  ],
  [
    'too late a precedence',
    { matchingPrecedence: 10_001 },
    'spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000',
  ],
  [
    'no level',
    { priorityLevelConfiguration: { name: '' } },
    'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
  ],
  [
    'an unknown distinguisher',
    { distinguisherMethod: { type: 'ByMoon' } },
    'spec.distinguisherMethod.type: Unsupported value: {"Type":"ByMoon"}: supported values: "ByNamespace", "ByUser"',
  ],
  [
    'a subject with two names',
    { rules: [{ ...rule, subjects: [{ kind: 'User', user: { name: 'jane' }, group: { name: 'x' } }] }] },
    `spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'`,
  ],
  [
    'a service account without namespace',
    { rules: [{ ...rule, subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: '' } }] }] },
    'spec.rules[0].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account',
  ],
  ['a star among URLs', urls('*', '/x'), `${at}: Invalid value: ["*","/x"]: if '*' is present, must not specify other non-resource URLs`],
  ['a star in the middle', urls('/a/*/b'), `${at}[0]: Invalid value: "/a/*/b": wildcard can only do suffix matching`],
  ['URLs that may end in anything', urls('/', '/a/*')],
  [
    'a namespaced rule without namespaces',
    { rules: [{ ...rule, nonResourceRules: [], resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: [] }] }] },
    'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
  ],
];

for (const [what, spec, ...expected] of cases) test(`a flow schema with ${what}`, () => assert.deepEqual(faults(spec), expected));
