import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { podGroupProtection } from './plugin.ts';

const finalizer = 'scheduling.k8s.io/podgroup-protection';

async function finalizersOf(finalizers: string[] | undefined, enabled = true): Promise<string[] | undefined> {
  const group: { metadata: { finalizers?: string[] } } = { metadata: { ...(finalizers && { finalizers }) } };
  await new PluginHarness(podGroupProtection, { enabled: () => enabled }).ask({ about: 'scheduling.k8s.io/podgroups', object: group });
  return group.metadata.finalizers;
}

test('a group of pods gets a finalizer, once', async () => {
  assert.deepEqual(await finalizersOf(undefined), [finalizer]);
  assert.deepEqual(await finalizersOf(['a.com/b']), ['a.com/b', finalizer]);
  assert.deepEqual(await finalizersOf([finalizer]), [finalizer]);
});

test('without GenericWorkload it gets none', async () => {
  assert.equal(await finalizersOf(undefined, false), undefined);
});
