import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from '../../machinery/field.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { validateAmount } from './schema-amount.ts';

const path = FieldPath.root('spec', 'versions');
const faults = (...schemas: JSONSchemaProps[]): string[] => validateAmount(schemas, path).map(String);
const patterns = (count: number): JSONSchemaProps => ({ anyOf: Array.from({ length: count }, () => ({ pattern: 'a' })) });
const rules = (count: number, rule = 'true'): JSONSchemaProps => ({
  properties: { a: { 'x-kubernetes-validations': Array.from({ length: count }, () => ({ rule })) } },
});

test('a definition may have as many rules and patterns as compile in a moment', () => {
  assert.deepEqual(faults(rules(2000), patterns(4000)), []);
  assert.deepEqual(faults({ type: 'object' }), []);
});

test('a definition with more rules is refused, whichever version they are in', () => {
  assert.deepEqual(faults(rules(1000), rules(1001)), [
    'spec.versions.x-kubernetes-validations: Too many: 2001: must have at most 2000 items',
  ]);
});

test('a definition with more patterns is refused', () => {
  assert.deepEqual(faults(patterns(4001)), ['spec.versions.pattern: Too many: 4001: must have at most 4000 items']);
});

test('a definition with longer rules is refused', () => {
  const [fault = ''] = faults(rules(100, 'a'.repeat(3000)));
  assert.match(fault, /^spec.versions: Forbidden: rules and patterns of a definition may have 131072 characters, these have 300000$/);
});
