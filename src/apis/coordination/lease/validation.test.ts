import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LeaseSpec } from '../../../schema/types/coordination-v1.ts';
import { validate } from './validation.ts';

const cases: readonly (readonly [spec: LeaseSpec, errors: readonly string[]])[] = [
  [{}, []],
  [{ leaseDurationSeconds: 1, leaseTransitions: 0, strategy: 'example.com/mine', preferredHolder: 'a' }, []],
  [{ leaseDurationSeconds: 0 }, ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0']],
  [{ leaseTransitions: -1 }, ['spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0']],
  [{ preferredHolder: 'a' }, ['spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined']],
  [{ strategy: 'Mine' }, ['spec.strategy.strategy: Unsupported value: "Mine": supported values: "OldestEmulationVersion"']],
];

for (const [spec, errors] of cases) {
  test(`a lease with ${JSON.stringify(spec)} is ${errors.length === 0 ? 'valid' : 'refused'}`, () =>
    assert.deepEqual(validate({ metadata: {}, spec }).map(String), errors));
}
