import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import { startTestServer } from './index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };

interface Review {
  readonly request: { readonly uid: string; readonly object: { readonly metadata: { readonly name?: string } } };
}

interface TestWebhook extends AsyncDisposable {
  readonly clientConfig: object;
  readonly asked: readonly string[];
}

/** Responds to every review as `answer` says, and remembers what was asked about. */
async function startWebhook(answer: (review: Review) => object): Promise<TestWebhook> {
  const authority = createAuthority({ commonName: 'webhooks' }, validity);
  const { certificate, key } = issueCertificate(authority, {
    subject: { commonName: 'webhook' },
    uses: ['server'],
    names: ['127.0.0.1'],
    validity,
  });
  const asked: string[] = [];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(parts).toString()) as Review;
      asked.push(review.request.object.metadata.name ?? '');
      const body = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid: review.request.uid, ...answer(review) } };
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    clientConfig: { url: `https://127.0.0.1:${port}/x`, caBundle: Buffer.from(authority.certificate).toString('base64') },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const configuration = (kind: 'Mutating' | 'Validating', { clientConfig }: TestWebhook, more: object = {}): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name: 'w' },
  webhooks: [
    {
      name: 'w.example.com',
      clientConfig,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      ...more,
    },
  ],
});

const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

describe('admission webhooks', () => {
  test('refuse as soon as they are configured, and not a moment longer', { timeout: 30_000 }, async () => {
    await using webhook = await startWebhook(() => ({ allowed: false, status: { message: 'no', code: 403 }, warnings: ['told you'] }));
    await using server = await startTestServer({ controllers: false });
    await using client = new RawClient(server);
    const create = (name: string): Promise<{ status: number; text: string; headers: object }> =>
      client.call('POST', configMaps, { body: configMap(name) });
    assert.equal((await create('before')).status, 201);
    const path = `${group}/validatingwebhookconfigurations`;
    assert.equal((await client.call('POST', path, { body: configuration('Validating', webhook) })).status, 201);
    const refused = await create('during');
    assert.equal(refused.status, 403);
    assert.match(refused.text, /admission webhook \\"w\.example\.com\\" denied the request: no/);
    assert.equal((refused.headers as { warning?: string }).warning, '299 - "told you"');
    assert.equal((await client.call('DELETE', `${path}/w`)).status, 200);
    assert.equal((await create('after')).status, 201);
    assert.deepEqual(webhook.asked, ['during']);
  });

  test('change objects, which are read again as what they are', { timeout: 30_000 }, async () => {
    const patch = (operations: object[]): object => ({
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
    });
    await using webhook = await startWebhook(({ request }) =>
      request.object.metadata.name === 'good'
        ? patch([{ op: 'add', path: '/data', value: { a: 'b' } }])
        : patch([{ op: 'add', path: '/data', value: { a: 1 } }]),
    );
    await using server = await startTestServer({ controllers: false });
    await using client = new RawClient(server);
    await client.call('POST', `${group}/mutatingwebhookconfigurations`, { body: configuration('Mutating', webhook) });
    const good = await client.json<{ data: object }>('POST', configMaps, { body: configMap('good') });
    assert.deepEqual(good.data, { a: 'b' });
    const bad = await client.json<{ code: number; message: string }>('POST', configMaps, { body: configMap('bad') });
    assert.equal(bad.code, 500);
    assert.match(
      bad.message,
      /^Internal error occurred: json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
    );
  });

  for (const [failurePolicy, status] of [['Ignore', 201] as const, ['Fail', 500] as const]) {
    test(`that cannot be reached: ${failurePolicy} answers ${status}`, { timeout: 30_000 }, async () => {
      await using server = await startTestServer({ controllers: false });
      await using client = new RawClient(server);
      const gone = await startWebhook(() => ({}));
      await gone[Symbol.asyncDispose]();
      await client.call('POST', `${group}/validatingwebhookconfigurations`, { body: configuration('Validating', gone, { failurePolicy }) });
      const answer = await client.call('POST', configMaps, { body: configMap('x') });
      assert.equal(answer.status, status, answer.text);
      if (status === 500)
        assert.match(answer.text, /failed calling webhook .*w\.example\.com.*: failed to call webhook: Post .*connection refused/);
    });
  }
});
