import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFeatureGates } from '../controlplane/feature-gates.ts';
import { gateWarnings } from './gate-warnings.ts';

test('a gate without what is behind it is named at the start', () => {
  const warnings = (gates: readonly string[]): string[] => [...gateWarnings(createFeatureGates(new Map([['', gates]])).gates)];
  assert.deepEqual(warnings([]), []);
  assert.equal(warnings(['StorageVersionAPI=true']).length, 1);
});
