import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ValidatingAdmissionPolicySpec, Validation } from '../../schema/types/admissionregistration-v1.ts';
import type { ExpressionInputs } from '../../server/admission/expressions/evaluation.ts';
import { AuditRecord } from './audit-record.ts';
import { Validator } from './validator.ts';

const inputs: ExpressionInputs = {
  object: { metadata: { name: 'x' }, data: { long: 'a'.repeat(6000), lines: 'a\nb' } },
  oldObject: undefined,
  request: { operation: 'CREATE' },
  namespaceObject: undefined,
};

async function denials(spec: Partial<ValidatingAdmissionPolicySpec>): Promise<string[]> {
  const verdict = await new Validator(spec as ValidatingAdmissionPolicySpec).validate(inputs);
  return verdict.denials.map(({ message, reason }) => (reason === undefined ? message : `${reason}: ${message}`));
}

const message = (more: Partial<Validation>): Partial<ValidatingAdmissionPolicySpec> => ({
  validations: [{ expression: ' false ', ...more }],
});
const error = "expression 'object.nope == 1' resulted in error: no such key: nope";

const cases: readonly (readonly [what: string, spec: Partial<ValidatingAdmissionPolicySpec>, expected: readonly string[]])[] = [
  ['what is true passes', { validations: [{ expression: 'true' }] }, []],
  ['what is false is told by its expression', message({}), ['failed expression: false']],
  ['or by its message', message({ message: ' m ' }), ['m']],
  ['or by one that is evaluated', message({ message: 'm', messageExpression: "' e '" }), ['e']],
  ['unless that fails', message({ message: 'm', messageExpression: 'string(object.nope)' }), ['m']],
  ['or is too long', message({ message: 'm', messageExpression: 'string(object.data.long)' }), ['m']],
  ['or has several lines', message({ messageExpression: 'string(object.data.lines)' }), ['failed expression: false']],
  ['a reason goes along', message({ message: 'm', reason: 'Forbidden' }), ['Forbidden: m']],
  ['what fails denies', { validations: [{ expression: 'object.nope == 1' }, { expression: 'true' }] }, [error]],
  ['or is ignored', { validations: [{ expression: 'object.nope == 1' }], failurePolicy: 'Ignore' }, []],
  [
    'a condition that is false lets everything pass',
    { ...message({}), matchConditions: [{ name: 'c', expression: "object.metadata.name == 'y'" }] },
    [],
  ],
  ['one that fails denies', { ...message({}), matchConditions: [{ name: 'c', expression: 'object.nope == 1' }] }, [error]],
];

describe('the validator of a policy', () => {
  for (const [what, spec, expected] of cases) test(what, async () => assert.deepEqual(await denials(spec), expected));

  test('makes annotations for the audit log, and tells of those it cannot make', async () => {
    const auditAnnotations = [
      { key: 'name', valueExpression: "' is ' + object.metadata.name + ' '" },
      { key: 'none', valueExpression: 'null' },
      { key: 'blank', valueExpression: "' '" },
      { key: 'broken', valueExpression: 'string(object.nope)' },
    ];
    const { annotations, annotationErrors } = await new Validator({ auditAnnotations }).validate(inputs);
    assert.deepEqual(annotations, [['name', 'is x']]);
    assert.deepEqual(annotationErrors, ["expression 'string(object.nope)' resulted in error: no such key: nope"]);
  });
});

test('the audit log gets values once, and failures of those bindings that want it', () => {
  const record = new AuditRecord();
  for (const value of ['a', 'b', 'a']) record.add('p/k', value);
  record.failed({ metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Audit'] } }, { index: 1, message: 'm' });
  assert.deepEqual(
    [...record.annotations()],
    [
      ['p/k', 'a, b'],
      [
        'validation.policy.admission.k8s.io/validation_failure',
        '[{"message":"m","policy":"p","binding":"b","expressionIndex":1,"validationActions":["Audit"]}]',
      ],
    ],
  );
});
