import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testContext } from '../../../../test/support/write-context.ts';
import { runtimeClasses } from './definition.ts';
import { validate, validateUpdate } from './validation.ts';
import type { RuntimeClassObject } from './validation.ts';

const runtimeClass = (changes: Partial<RuntimeClassObject> = {}): RuntimeClassObject => ({
  metadata: { name: 'r' },
  handler: 'runc',
  ...changes,
});
const toleration = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };

const cases: readonly (readonly [what: string, object: RuntimeClassObject, errors: readonly string[]])[] = [
  ['only a handler', runtimeClass(), []],
  ['no handler', runtimeClass({ handler: '' }), ['handler: Required value']],
  [
    'a toleration twice, whatever the time',
    runtimeClass({ scheduling: { tolerations: [toleration, { ...toleration, tolerationSeconds: 6 }] } }),
    ['scheduling.tolerations[1]: Duplicate value: {"Key":"k","Operator":"Exists","Value":"","Effect":"NoExecute","TolerationSeconds":6}'],
  ],
  [
    'an overhead of what containers do not have',
    runtimeClass({ overhead: { podFixed: { pods: '1' } } }),
    ['overhead.limits[pods]: Invalid value: "pods": must be a standard resource for containers'],
  ],
];

for (const [what, object, errors] of cases) {
  test(`validate() judges a class with ${what}`, () => assert.deepEqual(validate(object).map(String), errors));
}

test('validateUpdate() keeps the handler', () => {
  const errors = validateUpdate(runtimeClass({ handler: 'other' }), runtimeClass());
  assert.deepEqual(errors.map(String), ['handler: Invalid value: "other": field is immutable']);
  assert.equal(errors[0]?.origin, 'immutable');
});

test('validateUpdate() takes finalizers that are neither standard nor qualified', () => {
  const metadata = { name: 'r', resourceVersion: '1', finalizers: ['UPPER'] };
  assert.deepEqual(validateUpdate(runtimeClass({ metadata }), runtimeClass()).map(String), []);
});

test('deprecated labels of nodes are warned about', () => {
  const object = runtimeClass({ scheduling: { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } });
  assert.deepEqual(runtimeClasses.strategy?.warningsOnCreate?.(object as never, testContext()), [
    'scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead',
  ]);
});
