import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markDistinct } from '../../../machinery/go-distinctions.ts';
import type { ResourceQuotaSpec } from '../../../schema/types/core-v1.ts';
import { validate, validateUpdate } from './validation.ts';

const quota = (spec: ResourceQuotaSpec): Parameters<typeof validate>[0] => ({ metadata: { name: 'q' }, spec, status: {} });

const cases: readonly (readonly [spec: ResourceQuotaSpec, errors: readonly string[]])[] = [
  [{ hard: { 'requests.cpu': '500m', 'count/x.example.com': '3' } }, []],
  [{ hard: { pods: '1500m' } }, ['spec.hard[pods]: Invalid value: "1500m": must be an integer']],
  [
    { hard: { secrets: '1' }, scopes: ['BestEffort'] },
    ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  ],
  [{ scopes: ['Terminating', 'NotTerminating'] }, ['spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes']],
  [
    { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } },
    [
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
  ],
];

for (const [spec, errors] of cases) {
  test(`a quota of ${JSON.stringify(spec)} is ${errors.length === 0 ? 'valid' : 'refused'}`, () =>
    assert.deepEqual(validate(quota(spec)).map(String), errors));
}

test('the scopes of a quota never change', () => {
  assert.deepEqual(validateUpdate(quota({}), quota({ scopes: ['BestEffort'] })).map(String), [
    'spec.scopes: Invalid value: null: field is immutable',
  ]);
  const empty = quota({});
  markDistinct(empty.spec as object, 'scopes');
  assert.deepEqual(validateUpdate(empty, quota({ scopes: ['BestEffort'] })).map(String), [
    'spec.scopes: Invalid value: []: field is immutable',
  ]);
});

test('many scopes of a quota for many resources are one error of each sort, not one for each pair', () => {
  const scopes = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? 'BestEffort' : 'Other'));
  const hard = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`hugepages-${index}Mi`, '1']));
  const matchExpressions = scopes.map((scopeName) => ({ scopeName, operator: 'Exists' }));
  assert.equal(validate(quota({ hard, scopes })).filter(({ field }) => field === 'spec.scopes').length, 2);
  const inSelector = validate(quota({ hard, scopeSelector: { matchExpressions } }));
  assert.equal(inSelector.filter(({ detail }) => detail === 'unsupported scope applied to resource').length, 1);
});
