import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from '../../../machinery/field.ts';
import type { ValidatingAdmissionPolicyBindingSpec } from '../../../schema/types/admissionregistration-v1.ts';
import { validateSpec } from './validation.ts';

const spec: ValidatingAdmissionPolicyBindingSpec = { policyName: 'p', validationActions: ['Deny'] };
const errorsOf = (changes: ValidatingAdmissionPolicyBindingSpec): string[] =>
  validateSpec({ ...spec, ...changes }, FieldPath.root('spec')).map(String);

const cases: readonly (readonly [what: string, changes: ValidatingAdmissionPolicyBindingSpec, errors: readonly string[]])[] = [
  ['a policy and what to do are enough', {}, []],
  [
    'both are needed',
    { policyName: '', validationActions: [] },
    ['spec.policyName: Required value', 'spec.validationActions: Required value: at least one validation action is required'],
  ],
  [
    'actions are known and not repeated',
    { validationActions: ['Audit', 'Audit', 'Log'] },
    [
      'spec.validationActions[1]: Duplicate value: "Audit"',
      'spec.validationActions[2]: Unsupported value: "Log": supported values: "Audit", "Deny", "Warn"',
    ],
  ],
  [
    'who is denied is not warned',
    { validationActions: ['Deny', 'Warn'] },
    [
      'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ],
  ],
  [
    'parameters are found by name or by labels',
    { paramRef: { name: 'a', selector: {} } },
    [
      'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.parameterNotFoundAction: Required value',
    ],
  ],
];

for (const [what, changes, errors] of cases) test(`bindings: ${what}`, () => assert.deepEqual(errorsOf(changes), errors));
