import { allSteps } from '../../base/steps.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from '../../machinery/field.ts';
import { runtimeBudget } from './environments.ts';
import type { RuleFailure, RuleInput, RuleSchema } from './rule-tree.ts';
import { compileSchemaRules } from './rule-tree.ts';

function validate(schema: RuleSchema, input: Partial<RuleInput>): { failures: RuleFailure[]; remainingBudget: number } {
  const tree = compileSchemaRules(schema, false);
  assert.ok(tree);
  return allSteps(tree.validate({ path: FieldPath.root('spec'), value: undefined, budget: runtimeBudget, ...input }));
}

const shown = (failures: readonly RuleFailure[]): string[] => failures.map(({ path, reason, detail }) => `${path} ${reason} ${detail}`);

const replicas: RuleSchema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'no scaling down' }] },
    names: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, size: { type: 'integer' } },
        'x-kubernetes-validations': [{ rule: 'self.size > 0', reason: 'FieldValueRequired', fieldPath: '.size' }],
      },
    },
  },
  'x-kubernetes-validations': [
    { rule: 'self.replicas < 10', messageExpression: "'too many: ' + string(self.replicas)" },
    { rule: 'oldSelf.hasValue() || self.replicas == 1', optionalOldSelf: true },
  ],
};

test('failures carry path, reason and message', () => {
  const value = { replicas: 12, names: [{ name: 'a', size: 0 }] };
  assert.deepEqual(shown(validate(replicas, { value }).failures), [
    'spec FieldValueInvalid too many: 12',
    'spec FieldValueInvalid failed rule: oldSelf.hasValue() || self.replicas == 1',
    'spec.names[0].size FieldValueRequired failed rule: self.size > 0',
  ]);
});

test('transition rules look at the old value and are silent without one', () => {
  assert.deepEqual(validate(replicas, { value: { replicas: 1 } }).failures, []);
  const { failures } = validate(replicas, { value: { replicas: 1 }, oldValue: { replicas: 2 } });
  assert.deepEqual(shown(failures), ['spec.replicas FieldValueInvalid no scaling down']);
});

test('unchanged violations are ratcheted, found by the keys of the list', () => {
  const oldValue = { replicas: 1, names: [{ name: 'a', size: 0 }] };
  const value = {
    replicas: 2,
    names: [
      { name: 'b', size: 0 },
      { name: 'a', size: 0 },
    ],
  };
  const { failures } = validate(replicas, { value, oldValue, ratchets: true });
  assert.deepEqual(
    failures.map(({ path, isRatcheted }) => [String(path), isRatcheted]),
    [
      ['spec.names[0].size', false],
      ['spec.names[1].size', true],
    ],
  );
});

test('errors in a rule are told in the words of upstream', () => {
  const schema: RuleSchema = {
    type: 'object',
    additionalProperties: { type: 'string' },
    'x-kubernetes-validations': [{ rule: "self.a == 'b'" }],
  };
  assert.deepEqual(shown(validate(schema, { value: {} }).failures), [
    "spec FieldValueInvalid no such key: a evaluating rule: self.a == 'b'",
  ]);
});

test('validation stops when the budget is spent', () => {
  const { failures, remainingBudget } = validate(replicas, { value: { replicas: 1 }, budget: 2 });
  assert.equal(remainingBudget, -1);
  assert.match(failures[0]!.detail, /running out of cost budget/);
});

test('rules under allOf see the node they stand at', () => {
  const schema: RuleSchema = {
    type: 'object',
    properties: { a: { type: 'integer' } },
    allOf: [{ properties: { a: { 'x-kubernetes-validations': [{ rule: 'self > 1', message: 'small' }] } } }],
  };
  assert.deepEqual(shown(validate(schema, { value: { a: 1 } }).failures), ['spec.a FieldValueInvalid small']);
});

test('rules of items of what is no list fail, and those of their properties are skipped', () => {
  const schema: RuleSchema = {
    type: 'object',
    items: {
      type: 'object',
      properties: { n: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'false' }] } },
      'x-kubernetes-validations': [{ rule: 'true' }],
    },
  };
  assert.deepEqual(shown(validate(schema, { value: [{ n: 1 }] }).failures), [
    'spec[0] FieldValueInvalid rule compiler initialization error: failed to convert to declType for CEL validation rules',
  ]);
  assert.deepEqual(validate(schema, { value: { n: 1 } }).failures, []);
});

test('rules are compiled in steps when the first value comes along: they may be long', () => {
  const rule = `self != "a"${' && self != "b"'.repeat(200)}`;
  const schema: RuleSchema = {
    type: 'object',
    properties: { a: { type: 'string', 'x-kubernetes-validations': Array.from({ length: 5 }, () => ({ rule })) } },
  };
  const tree = compileSchemaRules(schema, false);
  assert.ok(tree);
  const count = (): number => {
    const steps = tree.validate({ path: FieldPath.root('spec'), value: { a: 'c' }, budget: runtimeBudget });
    for (let taken = 0; ; taken++) {
      const { done, value } = steps.next();
      if (done !== true) continue;
      assert.deepEqual(value.failures, []);
      return taken;
    }
  };
  assert.ok(count() >= 15);
  assert.ok(count() < 5, 'they are compiled once');
});
