import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameterHash } from './parameter-hash.ts';

test('a shared parameter has the name that upstream gives it', () => {
  const body = '{"name":"body","in":"body","schema":{"$ref":"#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"}}';
  assert.equal(parameterHash(body), '2Y1dVQaQ');
});
