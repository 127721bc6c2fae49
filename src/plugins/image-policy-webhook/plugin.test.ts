import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import type { ImageReview } from '../../schema/types/imagepolicy-v1alpha1.ts';
import { AdmissionServer } from '../../../test/support/admission-server.ts';
import type { TestRemote } from '../../../test/support/webhook-remote.ts';
import { testRemote } from '../../../test/support/webhook-remote.ts';

type Reply = (review: ImageReview) => unknown;

const pods = (namespace = 'ns'): string => `/api/v1/namespaces/${namespace}/pods`;
const pod = (images: readonly string[], annotations: object = {}): object => ({
  metadata: { name: 'p', annotations },
  spec: {
    containers: images.map((image, index) => ({ name: `c${index}`, image })),
    initContainers: [{ name: 'i', image: 'init' }],
  },
});
const verdict =
  (status: object): Reply =>
  (review) => ({ ...review, status });
const broken: Reply = () => (response: { writeHead(code: number): { end(text: string): void } }) => {
  response.writeHead(400).end('no');
};

describe('ImagePolicyWebhook', () => {
  const folder = mkdtempSync(join(tmpdir(), 'image-policy-'));
  // Certificates are checked by the same clock.
  const clock = new ManualClock(Date.now());
  let reply: Reply;
  let remote: TestRemote;
  let server: AdmissionServer;
  let lenient: AdmissionServer;

  const configured = (more: object): Promise<AdmissionServer> => {
    const kubeConfigFile = join(folder, 'kubeconfig');
    const imagePolicy = { kubeConfigFile, retryBackoff: 1, ...more };
    return new AdmissionServer({ plugins: ['ImagePolicyWebhook'], configuration: { ImagePolicyWebhook: { imagePolicy } }, clock }).start();
  };

  before(async () => {
    remote = await testRemote((review: ImageReview) => reply(review));
    const cluster = {
      server: remote.url.href,
      'certificate-authority-data': Buffer.from(remote.authorities ?? '').toString('base64'),
    };
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      clusters: [{ name: 'c', cluster }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: '' } }],
    };
    writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(kubeconfig));
    server = await configured({ allowTTL: 10, denyTTL: 5 });
    lenient = await configured({ defaultAllow: true });
  });
  after(async () => {
    for (const one of [server, lenient, remote]) await one[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    reply = verdict({ allowed: true });
  });
  const asked = (): number => remote.received.length;

  test('the webhook sees images, namespace and the annotations that are for it', async () => {
    const annotations = { other: 'x', 'mine.image-policy.k8s.io/ticket': '7' };
    assert.equal((await server.tryCreate(pods(), pod(['a', 'b'], annotations))).status, 201);
    assert.deepEqual((remote.received.at(-1) as ImageReview).spec, {
      containers: [{ image: 'a' }, { image: 'b' }, { image: 'init' }],
      annotations: { 'mine.image-policy.k8s.io/ticket': '7' },
      namespace: 'ns',
    });
  });

  for (const [allowed, seconds] of [
    [true, 10],
    [false, 5],
  ] as const) {
    test(`a verdict that ${allowed ? 'admits' : 'refuses'} holds for as long as the configuration says`, async () => {
      reply = verdict({ allowed });
      const count = asked();
      const ask = async (): Promise<number> => {
        await server.tryCreate(pods(`lasting-${allowed}`), pod(['a']));
        return asked() - count;
      };
      assert.deepEqual([await ask(), await ask()], [1, 1]);
      clock.advance(seconds * 1000);
      assert.equal(await ask(), 2);
    });
  }

  const refusals: readonly (readonly [status: object, reason: string])[] = [
    [{ allowed: false, reason: 'too old' }, 'image policy webhook backend denied one or more images: too old'],
    [{ allowed: false }, 'one or more images rejected by webhook backend'],
  ];
  for (const [index, [status, reason]] of refusals.entries()) {
    test(`a verdict of ${JSON.stringify(status)} refuses the pod: ${reason}`, async () => {
      reply = verdict(status);
      const answer = await server.tryCreate(pods(`refused-${index}`), pod(['a']));
      assert.deepEqual([answer.status, answer.message], [403, `pods "p" is forbidden: ${reason}`]);
    });
  }

  test('a webhook that fails admits nothing, unless the configuration says so', async () => {
    reply = broken;
    const { status, message } = await server.tryCreate(pods('broken'), pod(['a']));
    assert.equal(status, 403);
    assert.match(message ?? '', /^pods "p" is forbidden: /);
    assert.equal((await lenient.tryCreate(pods('broken'), pod(['a']))).status, 201);
  });

  test('the status of a pod is not asked about, ephemeral containers are', async () => {
    await server.given(pods('there'), { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'a' }] } });
    const count = asked();
    reply = verdict({ allowed: false });
    assert.equal((await server.patch(`${pods('there')}/p/status`, { status: { phase: 'Running' } })).status, 200);
    assert.equal(asked(), count);
    const ephemeralContainers = [{ name: 'e', image: 'debug' }];
    const { message } = await server.patch(`${pods('there')}/p/ephemeralcontainers`, { spec: { ephemeralContainers } });
    assert.equal(message, 'pods "p" is forbidden: one or more images rejected by webhook backend');
    assert.deepEqual((remote.received.at(-1) as ImageReview).spec.containers, [{ image: 'debug' }]);
  });
});

const faults: readonly (readonly [configuration: unknown, message: string])[] = [
  [undefined, 'no config specified'],
  [{ imagePolicy: { allowTTL: 1801 } }, 'valid value is between 1s and 30m0s, got 30m1s'],
  [{ imagePolicy: { retryBackoff: 300_001 } }, 'valid value is between 1ns and 5m0s, got 5m0.001s'],
];
for (const [configuration, message] of faults) {
  test(`a server with an image policy of ${JSON.stringify(configuration)} does not start`, async () => {
    const server = new AdmissionServer({ plugins: ['ImagePolicyWebhook'], configuration: { ImagePolicyWebhook: configuration } });
    await assert.rejects(server.start(), {
      message: `failed to apply admission: couldn't init admission plugin "ImagePolicyWebhook": ${message}`,
    });
  });
}
