import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { limitPodHardAntiAffinityTopology } from './plugin.ts';

const pod = (field: string, ...keys: readonly string[]): object => ({
  metadata: { name: 'p' },
  spec: { affinity: { podAntiAffinity: { [field]: keys.map((topologyKey) => ({ topologyKey })) } } },
});
const required = 'requiredDuringSchedulingIgnoredDuringExecution';

test('a pod may keep others away from its own node only', async () => {
  const plugin = new PluginHarness(limitPodHardAntiAffinityTopology);
  const ask = (object: object): Promise<string | undefined> => plugin.ask({ about: '/pods', object });
  assert.equal(await ask({ metadata: {}, spec: {} }), undefined);
  assert.equal(await ask(pod(required, 'kubernetes.io/hostname')), undefined);
  assert.equal(await ask(pod('preferredDuringSchedulingIgnoredDuringExecution', 'zone')), undefined);
  assert.equal(
    await ask(pod(required, 'kubernetes.io/hostname', 'zone')),
    'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  );
});
