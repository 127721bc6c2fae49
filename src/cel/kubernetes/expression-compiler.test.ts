import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdmissionCompiler } from './expression-compiler.ts';

test('variables are known to what follows them, with their types, however many there are', { timeout: 30_000 }, () => {
  const compiler = new AdmissionCompiler({ hasParams: false, hasVariables: true });
  assert.ok('error' in compiler.compile('variables.v0 == 1', { use: 'new' }));
  assert.ok('program' in compiler.define('v0', '1', 'new'));
  for (let index = 1; index < 2000; index++) assert.ok('program' in compiler.define(`v${index}`, `variables.v${index - 1} + 1`, 'new'));
  assert.ok('program' in compiler.compile('variables.v1999 == 2000', { use: 'new' }));
  assert.ok('error' in compiler.compile('variables.v1999 == "x"', { use: 'new' }));
});
