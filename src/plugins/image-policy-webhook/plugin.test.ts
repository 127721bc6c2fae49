import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ImageReview, ImageReviewStatus } from '../../schema/types/imagepolicy-v1alpha1.ts';
import type { TestRemote } from '../../../test/support/webhook-remote.ts';
import { testRemote } from '../../../test/support/webhook-remote.ts';
import { PluginHarness } from '../common/plugin-harness.ts';
import { imagePolicyWebhook } from './plugin.ts';

const folder = mkdtempSync(join(tmpdir(), 'image-policy-'));
after(() => rmSync(folder, { recursive: true }));

const webhook = (status: (review: ImageReview) => ImageReviewStatus): Promise<TestRemote> =>
  testRemote((review: ImageReview) => ({ ...review, status: status(review) }));

function configured({ url, authorities = '' }: TestRemote, more: object = {}): PluginHarness {
  const kubeConfigFile = join(folder, `${url.port}.kubeconfig`);
  const cluster = { server: url.href, 'certificate-authority-data': Buffer.from(authorities).toString('base64') };
  const kubeconfig = {
    'current-context': 'c',
    clusters: [{ name: 'c', cluster }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: '' } }],
  };
  writeFileSync(kubeConfigFile, JSON.stringify(kubeconfig));
  const plugin = new PluginHarness(imagePolicyWebhook, { configuration: { imagePolicy: { kubeConfigFile, retryBackoff: 1, ...more } } });
  // Certificates are checked by the same clock.
  plugin.clock.advance(Date.now());
  return plugin;
}

const pod = (images: readonly string[], annotations?: Record<string, string>): object => ({
  metadata: { name: 'p', ...(annotations && { annotations }) },
  spec: { containers: images.map((image, index) => ({ name: `c${index}`, image })), initContainers: [{ name: 'i', image: 'init' }] },
});

test('the webhook sees images, namespace and the annotations that are for it, and its verdict holds for a while', async () => {
  await using remote = await webhook(() => ({ allowed: true }));
  const plugin = configured(remote, { allowTTL: 10 });
  const object = pod(['a', 'b'], { other: 'x', 'mine.image-policy.k8s.io/ticket': '7' });
  for (let i = 0; i < 2; i++) assert.equal(await plugin.ask({ about: '/pods', object }), undefined);
  const [review] = remote.received as ImageReview[];
  assert.equal(remote.received.length, 1);
  assert.deepEqual(review?.spec, {
    containers: [{ image: 'a' }, { image: 'b' }, { image: 'init' }],
    annotations: { 'mine.image-policy.k8s.io/ticket': '7' },
    namespace: 'ns',
  });
  plugin.clock.advance(10_000);
  await plugin.ask({ about: '/pods', object });
  assert.equal(remote.received.length, 2);
});

test('a refusal says why', async () => {
  await using remote = await webhook(({ spec }) => ({ allowed: false, ...(spec.namespace === 'ns' && { reason: 'too old' }) }));
  const plugin = configured(remote);
  assert.equal(
    await plugin.ask({ about: '/pods', object: pod(['a']) }),
    'pods "p" is forbidden: image policy webhook backend denied one or more images: too old',
  );
  assert.equal(
    await plugin.ask({ about: '/pods', object: pod(['a']), namespace: 'other' }),
    'pods "p" is forbidden: one or more images rejected by webhook backend',
  );
});

test('a webhook that fails admits nothing, unless the configuration says so', async () => {
  await using remote = await testRemote(() => (response: { writeHead(code: number): { end(text: string): void } }) => {
    response.writeHead(400).end('no');
  });
  assert.match(String(await configured(remote).ask({ about: '/pods', object: pod(['a']) })), /^pods "p" is forbidden: /);
  assert.equal(await configured(remote, { defaultAllow: true }).ask({ about: '/pods', object: pod(['a']) }), undefined);
});

test('status and other subresources are not asked about, ephemeral containers are', async () => {
  await using remote = await webhook(() => ({ allowed: false }));
  const plugin = configured(remote);
  assert.equal(await plugin.ask({ about: '/pods/status', object: pod(['a']), old: pod(['a']) }), undefined);
  const object = { ...pod(['a']), spec: { containers: [], ephemeralContainers: [{ name: 'e', image: 'debug' }] } };
  assert.match(String(await plugin.ask({ about: '/pods/ephemeralcontainers', object, old: object })), /rejected by webhook backend$/);
  assert.deepEqual((remote.received[0] as ImageReview).spec.containers, [{ image: 'debug' }]);
});

const faults: readonly (readonly [configuration: unknown, message: string])[] = [
  [undefined, 'no config specified'],
  [{ imagePolicy: { allowTTL: 1801 } }, 'valid value is between 1s and 30m0s, got 30m1s'],
  [{ imagePolicy: { retryBackoff: 300_001 } }, 'valid value is between 1ns and 5m0s, got 5m0.001s'],
];
for (const [configuration, message] of faults) {
  test(`a server with configuration ${JSON.stringify(configuration)} does not start`, () => {
    assert.throws(() => new PluginHarness(imagePolicyWebhook, { configuration }), {
      message: `failed to apply admission: couldn't init admission plugin "ImagePolicyWebhook": ${message}`,
    });
  });
}
