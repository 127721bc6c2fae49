import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompositePodGroupTemplate, PodGroupTemplate, WorkloadSpec } from '../../../schema/types/scheduling-v1beta1.ts';
import { typedContext } from '../../../../test/support/write-context.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { validate } from './validation.ts';

const context = typedContext({ group: 'scheduling.k8s.io', version: 'v1beta1', kind: 'Workload' });
const group = (name: string, more: Partial<PodGroupTemplate> = {}): PodGroupTemplate => ({
  name,
  schedulingPolicy: { basic: {} },
  schedulingConstraints: null,
  ...more,
});
const composite = (name: string, more: Partial<CompositePodGroupTemplate>): CompositePodGroupTemplate => ({
  name,
  schedulingPolicy: { basic: {} },
  ...more,
});
const chain = (depth: number): CompositePodGroupTemplate =>
  composite(`c${depth}`, depth === 1 ? { podGroupTemplates: [group('leaf')] } : { compositePodGroupTemplates: [chain(depth - 1)] });

const cases: readonly (readonly [what: string, spec: WorkloadSpec, errors: readonly string[]])[] = [
  ['one template', { podGroupTemplates: [group('a')] }, []],
  [
    'a name that is used further down',
    { podGroupTemplates: [group('a')], compositePodGroupTemplates: [composite('c', { podGroupTemplates: [group('a')] })] },
    ['spec.compositePodGroupTemplates[0].podGroupTemplates[0].name: Duplicate value: "a"'],
  ],
  ['three levels', { podGroupTemplates: null, compositePodGroupTemplates: [chain(3)] }, []],
  [
    'four levels',
    { podGroupTemplates: null, compositePodGroupTemplates: [chain(4)] },
    ['spec.compositePodGroupTemplates[0]: Invalid value: ...: maximum template hierarchy depth is 4'],
  ],
  [
    'two priorities',
    { podGroupTemplates: [group('a', { priority: 1 }), group('b')] },
    ['spec: Invalid value: null: detected multiple priority configurations'],
  ],
  [
    'two priorities in the tree',
    {
      podGroupTemplates: null,
      compositePodGroupTemplates: [composite('c', { podGroupTemplates: [group('a', { priorityClassName: 'high' })] })],
    },
    ['spec: Invalid value: null: all priority and priorityClassName values must be identical, detected multiple values'],
  ],
  [
    'a composite of nothing',
    { podGroupTemplates: null, compositePodGroupTemplates: [composite('c', {})] },
    ['spec.compositePodGroupTemplates[0]: Invalid value: "c": must have at least one child PodGroupTemplate or CompositePodGroupTemplate'],
  ],
];

for (const [what, spec, errors] of cases) {
  test(`validate() judges a workload with ${what}`, () => {
    const found = validate({ metadata: { name: 'w' }, spec }, context).map(String);
    assert.deepEqual(
      found.map((text) => text.replace(/\[\{.*\}\]/, '...')),
      errors,
    );
  });
}

test('dropDisabledFields() drops what no feature allows and keeps what was there', () => {
  const off = { enabled: () => false };
  const claims = { resourceClaims: [{ name: 'r' }], preemptionPolicy: 'Never', schedulingConstraints: {} };
  const spec: WorkloadSpec = { podGroupTemplates: [group('a', claims), group('b', claims)], compositePodGroupTemplates: [chain(1)] };
  dropDisabledFields(spec, { podGroupTemplates: [group('a', claims)] }, off);
  assert.deepEqual(spec, { podGroupTemplates: [group('a', claims), group('b')] });
});
