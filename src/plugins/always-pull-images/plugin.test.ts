import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { alwaysPullImages } from './plugin.ts';

const pod = (image: string, imagePullPolicy: string): { metadata: object; spec: { containers: object[]; volumes: object[] } } => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image, imagePullPolicy }], volumes: [{ name: 'v', image: { reference: 'r' } }] },
});
const pulled = {
  containers: [{ name: 'c', image: 'a', imagePullPolicy: 'Always' }],
  volumes: [{ name: 'v', image: { reference: 'r', pullPolicy: 'Always' } }],
};

test('images of containers and volumes are pulled whenever a pod starts', async () => {
  const object = pod('a', 'Never');
  assert.equal(await new PluginHarness(alwaysPullImages).ask({ about: '/pods', object }), undefined);
  assert.deepEqual(object.spec, pulled);
});

test('an update counts when it brings an image', async () => {
  const [same, other] = [pod('b', 'Never'), pod('a', 'Never')];
  for (const object of [same, other]) await new PluginHarness(alwaysPullImages).ask({ about: '/pods', object, old: pod('b', 'Never') });
  assert.deepEqual(same, pod('b', 'Never'));
  assert.deepEqual(other.spec, pulled);
});

test('other resources and subresources are left alone', async () => {
  const object = pod('a', 'Never');
  await new PluginHarness(alwaysPullImages).ask({ about: '/pods/ephemeralcontainers', object });
  assert.deepEqual(object, pod('a', 'Never'));
});
