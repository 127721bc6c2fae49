import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodDisruptionBudgetSpec } from '../../../schema/types/policy-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { podDisruptionBudgets } from './definition.ts';
import { validate } from './validation.ts';

const budget = (spec: PodDisruptionBudgetSpec): Parameters<typeof validate>[0] => ({
  metadata: { name: 'b' },
  spec,
  status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
});

const cases: readonly (readonly [spec: PodDisruptionBudgetSpec, errors: readonly string[]])[] = [
  [{ minAvailable: '50%' }, []],
  [{ maxUnavailable: -1 }, ['spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0']],
  [{ minAvailable: '101%' }, ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%']],
  [
    { minAvailable: 1, maxUnavailable: 1 },
    [
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
];

for (const [spec, errors] of cases) {
  test(`a budget of ${JSON.stringify(spec)} is ${errors.length === 0 ? 'valid' : 'refused'}`, () =>
    assert.deepEqual(validate(budget(spec)).map(String), errors));
}

test('a budget stored as v1beta1 selects what it selected there: an empty selector nothing', () => {
  const key = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
  const conversion = podDisruptionBudgets.conversions?.['policy/v1beta1'];
  const selector = (given?: object): unknown => {
    const beta = budget(given === undefined ? {} : { selector: given });
    conversion?.toStorage(beta);
    return beta.spec.selector;
  };
  assert.deepEqual(selector({}), { matchExpressions: [{ key, operator: 'Exists' }] });
  assert.deepEqual(selector({ matchExpressions: [{ key, operator: 'DoesNotExist' }] }), {});
  assert.deepEqual(selector({ matchExpressions: [{ key, operator: 'Exists' }], matchLabels: { a: 'b' } }), { matchLabels: { a: 'b' } });
  assert.equal(selector(), undefined);
});

test('the key that stood for empty selectors is never combined with others', () => {
  const key = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
  const alone = budget({ selector: { matchExpressions: [{ key, operator: 'Exists' }] } });
  const combined = budget({
    selector: {
      matchExpressions: [
        { key, operator: 'Exists' },
        { key: 'a', operator: 'Exists' },
      ],
    },
  });
  for (const one of [alone, combined]) podDisruptionBudgets.strategy?.prepareForCreate?.(one as KubeObject, {} as never);
  assert.deepEqual(alone.spec.selector?.matchExpressions, [{ key, operator: 'Exists' }]);
  assert.deepEqual(combined.spec.selector?.matchExpressions, [{ key: 'a', operator: 'Exists' }]);
});
