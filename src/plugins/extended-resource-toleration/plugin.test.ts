import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { extendedResourceToleration } from './plugin.ts';

const container = (...names: readonly string[]): object => ({
  name: 'c',
  resources: { requests: Object.fromEntries(names.map((name) => [name, '1'])) },
});
const tolerated = (key: string): object => ({ key, operator: 'Exists', effect: 'NoSchedule' });

const cases: readonly (readonly [name: string, spec: object, tolerations: readonly object[] | undefined])[] = [
  ['nothing special', { containers: [container('cpu', 'kubernetes.io/x')] }, undefined],
  ['two resources, by name', { containers: [container('b.com/y', 'a.com/x')] }, [tolerated('a.com/x'), tolerated('b.com/y')]],
  ['in an init container', { containers: [], initContainers: [container('a.com/x')] }, [tolerated('a.com/x')]],
  ['what is tolerated already', { containers: [container('a.com/x')], tolerations: [tolerated('a.com/x')] }, [tolerated('a.com/x')]],
  [
    'a wider toleration',
    { containers: [container('a.com/x')], tolerations: [{ key: 'a.com/x', operator: 'Exists' }] },
    [{ key: 'a.com/x', operator: 'Exists' }, tolerated('a.com/x')],
  ],
];
for (const [name, spec, expected] of cases) {
  test(`${name}: ${expected?.length ?? 'no'} tolerations`, async () => {
    await new PluginHarness(extendedResourceToleration).ask({ about: '/pods', object: { metadata: {}, spec } });
    assert.deepEqual((spec as { tolerations?: object[] }).tolerations, expected);
  });
}
