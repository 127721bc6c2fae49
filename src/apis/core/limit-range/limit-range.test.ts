import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LimitRangeItem } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { limitRanges } from './definition.ts';
import { validate } from './validation.ts';

const limitRange = (...limits: LimitRangeItem[]): KubeObject & { spec: { limits: LimitRangeItem[] } } => ({
  metadata: { name: 'l' },
  spec: { limits },
});

test('containers get limits from the maximum and requests from what is closest', () => {
  const object = limitRange({ type: 'Container', max: { cpu: '2' }, min: { cpu: '1', memory: '1Mi' }, default: { memory: '3Mi' } });
  limitRanges.strategy?.defaults?.(object, 'v1');
  assert.deepEqual(object.spec.limits[0]?.default, { cpu: '2', memory: '3Mi' });
  assert.deepEqual(object.spec.limits[0]?.defaultRequest, { cpu: '2', memory: '3Mi' });
});

const cases: readonly (readonly [item: LimitRangeItem, errors: readonly string[]])[] = [
  [{ type: 'Container', min: { cpu: '1' }, max: { cpu: '1' } }, []],
  [
    { type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } },
    ['spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1'],
  ],
  [{ type: 'Pod', default: { cpu: '1' } }, ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"]],
  [
    { type: 'PersistentVolumeClaim' },
    ['spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided'],
  ],
  [
    { type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } },
    ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000'],
  ],
  [{ type: 'Odd' }, ['spec.limits[0].type: Invalid value: "Odd": must be a standard limit type or fully qualified']],
];

for (const [item, errors] of cases) {
  test(`a limit of ${JSON.stringify(item)} is ${errors.length === 0 ? 'valid' : 'refused'}`, () =>
    assert.deepEqual(validate(limitRange(item)).map(String), errors));
}
