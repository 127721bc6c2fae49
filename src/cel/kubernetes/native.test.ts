import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile, evaluate } from '../index.ts';
import type { Value } from '../values.ts';
import { CelError } from '../values.ts';
import { misnamedObjects, nativeJson } from './native.ts';
import { admissionEnvironment } from './variables.ts';

const environment = admissionEnvironment('stored', { hasParams: false, hasAuthorizer: false, hasPatches: true });

function valueOf(expression: string): Value {
  const compiled = compile(expression, environment);
  assert.ok('program' in compiled);
  const outcome = evaluate(compiled.program, {}, { limit: 1000 });
  assert.ok('value' in outcome);
  return outcome.value;
}

test('what expressions construct becomes JSON', () => {
  const constructed =
    "Object{spec: Object.spec{replicas: 1, list: ['a', 'b'], half: 1.5, on: true, none: null, map: {'k': Object.spec.map{x: 2u}}}}";
  assert.deepEqual(nativeJson(valueOf(constructed)), {
    spec: { replicas: 1, list: ['a', 'b'], half: 1.5, on: true, none: null, map: { k: { x: 2 } } },
  });
  assert.equal(nativeJson(valueOf("timestamp('2026-01-02T03:04:05Z')")), '2026-01-02T03:04:05Z');
  assert.equal(nativeJson(valueOf("duration('90s')")), '90s');
  assert.equal(nativeJson(valueOf("b'abc'")), 'YWJj');
});

test('only what has names for keys is JSON', () => {
  assert.ok(nativeJson(valueOf('Object{a: {1: 2}}')) instanceof CelError);
});

test('objects are named after the fields they stand in', () => {
  assert.deepEqual(misnamedObjects(valueOf('Object{spec: Object.spec{list: [Object.spec.list{a: 1}]}}')), []);
  assert.deepEqual(misnamedObjects(valueOf('Object{spec: Object.status{}}')), [
    'unexpected type name "Object.status", expected "Object.spec", which matches field name path from root Object type',
  ]);
});
