import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../machinery/errors.ts';
import type { LimitRange, Pod } from '../../schema/types/core-v1.ts';
import { Defaults } from './defaults.ts';

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`example.com/r${index}`, '1']));
const podOf = (count: number): Pod => ({
  metadata: { name: 'p' },
  status: {},
  spec: { containers: Array.from({ length: count }, (_, index) => ({ name: `c${index}`, image: 'i', resources: {} })) },
});
const rangeOf = (limits: Record<string, string>): LimitRange => ({
  metadata: {},
  spec: { limits: [{ type: 'Container', default: limits }] },
});

test('a pod of many containers is refused where a range has many defaults for each of them', () => {
  // Each by itself is small: together they would be 80,000,000 resources.
  assert.throws(
    () => new Defaults(podOf(20_000)).apply(rangeOf(many(4000))),
    (error) => error instanceof ApiError && error.code === 413,
  );
  const pod = podOf(20);
  new Defaults(pod).apply(rangeOf(many(2000)));
  assert.equal(Object.keys(pod.spec.containers?.[19]?.resources.limits ?? {}).length, 2000);
});
