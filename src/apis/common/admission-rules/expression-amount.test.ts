import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from '../../../machinery/field.ts';
import { expressionsIn, validateExpressionAmount } from './expression-amount.ts';

const path = FieldPath.root('spec');
const faults = (...expressions: string[]): string[] => validateExpressionAmount(expressions, path).map(String);

test('as many expressions as compile in a moment are left to the compiler', () => {
  assert.deepEqual(faults(...Array.from({ length: 2000 }, () => 'object.metadata.name != ""')), []);
  assert.deepEqual(faults('a'.repeat(53_248)), []);
});

test('an expression that is longer than any may be is left to the compiler', () => {
  assert.deepEqual(faults('a'.repeat(3_000_000)), []);
});

test('more expressions, or longer ones, are refused', () => {
  assert.deepEqual(faults(...Array.from({ length: 2001 }, () => 'true')), ['spec: Too many: 2001: must have at most 2000 items']);
  assert.deepEqual(faults('a'.repeat(99_000), 'b'.repeat(99_000)), [
    'spec: Forbidden: expressions may have 53248 characters together, these have 198000',
  ]);
});

test('expressionsIn() finds the expressions of policies and webhooks', () => {
  const spec = {
    variables: [{ name: 'a', expression: '1' }],
    validations: [{ expression: '2', messageExpression: '3', message: 'no' }],
    auditAnnotations: [{ key: 'k', valueExpression: '4' }],
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '5' } }],
  };
  assert.deepEqual(expressionsIn(spec), ['1', '2', '3', '4', '5']);
  assert.deepEqual(expressionsIn(undefined), []);
});
