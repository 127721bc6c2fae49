import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strictWarnings } from './strict-warnings.ts';

test('each key that YAML has twice is a warning of its own', () => {
  assert.deepEqual(strictWarnings('unknown field "a"'), ['unknown field "a"']);
  const lines = ['line 7: key "a" already set in map', 'line 9: key "b" already set in map'];
  for (const prefix of ['', 'error converting YAML to JSON: ']) {
    assert.deepEqual(strictWarnings(`${prefix}yaml: unmarshal errors:\n  ${lines.join('\n  ')}`), lines);
  }
});
