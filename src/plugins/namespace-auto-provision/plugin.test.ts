import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { namespaceAutoProvision } from './plugin.ts';

const objects = { '/namespaces': [{ metadata: { name: 'present' } }] };
const cases = [
  ['in a namespace that is there', { about: '/configmaps', namespace: 'present' }, []],
  ['in a namespace that is not there', { about: '/configmaps', namespace: 'new' }, ['namespaces/new']],
  ['in a dry run', { about: '/configmaps', namespace: 'new', dryRun: true }, []],
  ['on update', { about: '/configmaps', namespace: 'new', old: { metadata: {} } }, []],
  ['outside of namespaces', { about: '/nodes', namespace: '' }, []],
  ['of a namespace itself', { about: '/namespaces', kind: 'Namespace', namespace: 'new' }, []],
] as const;
for (const [name, request, created] of cases) {
  test(`${name}: creates ${created.join() || 'nothing'}`, async () => {
    const plugin = new PluginHarness(namespaceAutoProvision, { objects });
    assert.equal(await plugin.ask({ object: { metadata: { name: 'x' } }, ...request }), undefined);
    assert.deepEqual(plugin.created, created);
  });
}
