import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MutatingAdmissionPolicySpec, Mutation } from '../../../schema/types/admissionregistration-v1.ts';
import { allSteps } from '../../../base/steps.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { defaultPolicy, policyRules } from '../../common/admission-rules/policy-spec.ts';
import type { MutatingPolicy } from './validation.ts';
import { mutatingPolicy } from './validation.ts';

const rules = policyRules(mutatingPolicy);
const apply = (expression: string): Mutation => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patch = (expression: string): Mutation => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

function policy(mutations: Mutation[], changes: Partial<MutatingAdmissionPolicySpec> = {}): MutatingPolicy {
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
  const made: MutatingPolicy = {
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules: [rule] }, mutations, reinvocationPolicy: 'Never', ...changes },
  };
  defaultPolicy(made);
  return made;
}

const at = 'spec.mutations[0]';
const cases: readonly (readonly [what: string, mutation: Mutation, errors: readonly string[]])[] = [
  ['an object of any shape is a change', apply('Object{spec: Object.spec{replicas: variables.n}}'), []],
  [
    'so is a list of patches',
    patch('[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: variables.n}]'),
    [],
  ],
  [
    'a part of an object is not',
    apply('Object.spec{}'),
    [`${at}.applyConfiguration.expression: Invalid value: "Object.spec{}": must evaluate to Object but got Object.spec`],
  ],
  [
    'nor is an empty list, whose type nobody knows',
    patch(' [] '),
    [`${at}.jsonPatch.expression: Invalid value: "[]": must evaluate to list(JSONPatch) but got list(dyn)`],
  ],
  [
    'the patch is what its type says',
    { patchType: 'JSONPatch', applyConfiguration: { expression: 'Object{}' } },
    [
      `${at}.jsonPatch: Required value: must be specified when patchType is JSONPatch`,
      `${at}.applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch`,
    ],
  ],
  [
    'there are two types',
    { patchType: 'Merge' },
    [`${at}.patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"`],
  ],
];

for (const [what, mutation, errors] of cases) {
  test(`mutating policies: ${what}`, () => {
    const made = policy([mutation], { variables: [{ name: 'n', expression: '3' }] });
    assert.deepEqual(allSteps(rules.validateInSteps(made, undefined, testContext())).map(String), errors);
  });
}

test('nothing can be changed about what is deleted', () => {
  const resourceRules = [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
  assert.deepEqual(
    allSteps(rules.validateInSteps(policy([apply('Object{}')], { matchConstraints: { resourceRules } }), undefined, testContext())).map(
      String,
    ),
    ['spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"'],
  );
});

test('it must be said whether the policy is asked again', () => {
  const { reinvocationPolicy: _, ...spec } = policy([apply('Object{}')]).spec;
  assert.deepEqual(allSteps(rules.validateInSteps({ metadata: { name: 'p' }, spec }, undefined, testContext())).map(String), [
    'spec.reinvocationPolicy: Required value',
  ]);
});

test('stored apply configurations may use what the release before did not know, and patches may not', () => {
  const stored = policy([apply('Object{a: [1].includes(1)}'), patch('[JSONPatch{value: [1].includes(1)}]')]);
  assert.deepEqual(
    allSteps(rules.validateInSteps(stored, stored, testContext())).map(({ field }) => field),
    ['spec.mutations[1].jsonPatch.expression'],
  );
});
