import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValidatingAdmissionPolicySpec } from '../../../schema/types/admissionregistration-v1.ts';
import { allSteps } from '../../../base/steps.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { defaultPolicy, policyRules } from '../../common/admission-rules/policy-spec.ts';
import type { ValidatingPolicy } from './validation.ts';
import { validateStatus } from './status-validation.ts';
import { validatingPolicy } from './validation.ts';

const rules = policyRules(validatingPolicy);
const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };

function policy(changes: Partial<ValidatingAdmissionPolicySpec>): ValidatingPolicy {
  const made: ValidatingPolicy = {
    metadata: { name: 'p.example.com' },
    spec: { matchConstraints: { resourceRules: [{ ...rule }] }, validations: [{ expression: 'true' }], ...changes },
    status: {},
  };
  defaultPolicy(made);
  return made;
}

const errorsOf = (changes: Partial<ValidatingAdmissionPolicySpec>): string[] =>
  allSteps(rules.validateInSteps(policy(changes), undefined, testContext())).map(String);
const validating = (...expressions: string[]): Partial<ValidatingAdmissionPolicySpec> => ({
  validations: expressions.map((expression) => ({ expression })),
});
const wrongType = (i: number, expression: string, type: string): string =>
  `spec.validations[${i}].expression: Invalid value: ${JSON.stringify(expression)}: must evaluate to bool but got ${type}`;

const cases: readonly (readonly [what: string, changes: Partial<ValidatingAdmissionPolicySpec>, errors: readonly string[]])[] = [
  ['a policy with something to say is accepted', {}, []],
  [
    'one without is not',
    { validations: [] },
    [
      'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
      'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
    ],
  ],
  [
    'expressions must be conditions, and are told by declared names what they are instead',
    validating('object.a', 'timestamp("2020-01-01T00:00:00Z")', 'null', 'request.userInfo.extra'),
    [
      wrongType(0, 'object.a', 'dyn'),
      wrongType(1, 'timestamp("2020-01-01T00:00:00Z")', 'google.protobuf.Timestamp'),
      wrongType(2, 'null', 'null_type'),
      wrongType(3, 'request.userInfo.extra', 'map(string, list(string))'),
    ],
  ],
  [
    'variables are known to those after them, with their types',
    {
      variables: [
        { name: 'one', expression: '1' },
        { name: 'ones', expression: '[variables.one]' },
        { name: 'broken', expression: 'variables.missing' },
        { name: 'request', expression: 'request' },
      ],
      ...validating('variables.ones == [1] && variables.broken.any.field == 1 && variables.request.x == 1', 'variables.one'),
    },
    [
      `spec.variables[2].expression: Invalid value: "variables.missing": compilation failed: ERROR: <input>:1:10: undefined field 'missing'\n | variables.missing\n | .........^`,
      wrongType(1, 'variables.one', 'int'),
    ],
  ],
  [
    'without variables there is no such name',
    validating('variables.x'),
    [
      `spec.validations[0].expression: Invalid value: "variables.x": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.x\n | ^`,
    ],
  ],
  [
    'names of variables are identifiers',
    { variables: [{ name: 'for', expression: '1' }] },
    ['spec.variables[0].name: Invalid value: "for": must be a valid CEL identifier'],
  ],
  ['there are parameters if they have a kind', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...validating('params == null') }, []],
  [
    'messages are strings and cannot ask the authorizer',
    {
      validations: [
        { expression: 'true', messageExpression: '1' },
        { expression: 'true', messageExpression: 'string(authorizer)' },
      ],
    },
    [
      'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
      `spec.validations[1].messageExpression: Invalid value: "string(authorizer)": compilation failed: ERROR: <input>:1:8: undeclared reference to 'authorizer' (in container '')\n | string(authorizer)\n | .......^`,
    ],
  ],
  [
    'a message is one line',
    { validations: [{ expression: 'true', message: 'a\nb' }] },
    ['spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks'],
  ],
  [
    'what goes into the audit log is a string or nothing',
    { auditAnnotations: [{ key: 'k', valueExpression: ' 1 ' }] },
    ['spec.auditAnnotations[0].valueExpression: Invalid value: " 1 ": must evaluate to one of [string null_type] but got int'],
  ],
  [
    'the kind of parameters is a kind',
    { paramKind: { apiVersion: 'g/', kind: 'Some Kind' } },
    [
      'spec.paramKind.apiVersion: Invalid value: "g/": version must be specified',
      `spec.paramKind.kind: Invalid value: "Some Kind": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
    ],
  ],
];

for (const [what, changes, errors] of cases) test(`validating policies: ${what}`, () => assert.deepEqual(errorsOf(changes), errors));

test('expressions that stand in the stored policy may use what the release before did not know', () => {
  const newest = validating('["a"].includes("a")');
  assert.match(errorsOf(newest).join(), /undeclared reference to 'includes'/);
  assert.deepEqual(allSteps(rules.validateInSteps(policy({ ...newest, failurePolicy: 'Ignore' }), policy(newest), testContext())), []);
});

test('conditions that do not change are not compiled again', () => {
  const broken = { matchConditions: [{ name: 'c', expression: 'nobody.knows' }] };
  assert.equal(errorsOf(broken).length, 1);
  assert.deepEqual(allSteps(rules.validateInSteps(policy({ ...broken, failurePolicy: 'Ignore' }), policy(broken), testContext())), []);
  const withParams = policy({ ...broken, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
  assert.equal(allSteps(rules.validateInSteps(withParams, policy(broken), testContext())).length, 1);
});

test('warnings about types say where and what', () => {
  const status = {
    typeChecking: {
      expressionWarnings: [
        { fieldRef: ' spec.validations[0].expression ', warning: 'w' },
        { fieldRef: 'spec[', warning: '' },
      ],
    },
  };
  assert.deepEqual(validateStatus({ ...policy({}), status }).map(String), [
    'status.typeChecking.expressionWarnings[1].warning: Required value',
    'status.typeChecking.expressionWarnings[1].fieldRef: Invalid value: "spec[": invalid JSONPath: unterminated array',
  ]);
});

test('expressions are compiled in steps', () => {
  const pauses = rules.validateInSteps(policy(validating('true', '1 < 2')), undefined, testContext()).toArray().length;
  assert.ok(pauses >= 6, `${pauses} pauses`);
});
