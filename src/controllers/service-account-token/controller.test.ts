import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeClient } from '../../index.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';

type Secret = Kind<'v1', 'Secret'>;

const type = 'kubernetes.io/service-account-token';

describe('serviceaccount-token-controller', { timeout: 60_000 }, () => {
  let server: TestServer;
  let client: KubeClient;

  before(async () => {
    server = await startTestServer({ controllers: true });
    client = server.client();
  });

  after(() => server.stop());

  const accounts = () => client.resource('v1', 'ServiceAccount', 'default');
  const secrets = () => client.resource('v1', 'Secret', 'default');
  const of = (account: string, more: object = {}) => ({ annotations: { 'kubernetes.io/service-account.name': account, ...more } });
  const text = (secret: Secret | undefined, key: string): string => Buffer.from(secret?.data?.[key] ?? '', 'base64').toString();
  const filled = async (name: string): Promise<Secret> =>
    (await secrets().waitFor(name, (secret) => text(secret, 'token') !== '')) as Secret;

  test('a secret for a token has one, which the server takes', async () => {
    const account = await accounts().create({ metadata: { name: 'robot' } });
    await secrets().create({ metadata: { name: 'token', ...of('robot') }, type });
    const secret = await filled('token');
    assert.equal(secret.metadata.annotations?.['kubernetes.io/service-account.uid'], account.metadata.uid);
    assert.equal(text(secret, 'namespace'), 'default');
    assert.match(text(secret, 'ca.crt'), /^-----BEGIN CERTIFICATE-----/);
    const config = await client.resource('v1', 'ConfigMap', 'default').get('kube-root-ca.crt');
    assert.equal(text(secret, 'ca.crt'), config.data?.['ca.crt']);
    const review = await client.create({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      metadata: {},
      spec: { token: text(secret, 'token') },
    });
    assert.equal(review.status.user?.username, 'system:serviceaccount:default:robot');
    const claims = JSON.parse(Buffer.from(text(secret, 'token').split('.')[1] ?? '', 'base64url').toString()) as unknown;
    assert.deepEqual(claims, {
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': 'token',
      'kubernetes.io/serviceaccount/service-account.name': 'robot',
      'kubernetes.io/serviceaccount/service-account.uid': account.metadata.uid,
      sub: 'system:serviceaccount:default:robot',
    });
  });

  test('what is taken out of a secret comes back, and what others have put there stays', async () => {
    await accounts().create({ metadata: { name: 'mended' } });
    await secrets().create({ metadata: { name: 'mended', ...of('mended') }, type, stringData: { more: 'x' } });
    const secret = await filled('mended');
    const { token: _token, 'ca.crt': _authority, ...data } = secret.data ?? {};
    const updated = await secrets().update({ ...secret, data });
    assert.equal(text(updated, 'token'), '');
    assert.match(text(await filled('mended'), 'ca.crt'), /CERTIFICATE/);
    assert.equal(text(await filled('mended'), 'more'), 'x');
  });

  test('secrets of accounts that are not there go, also when there is another of that name', async () => {
    const account = await accounts().create({ metadata: { name: 'short' } });
    await secrets().create({ metadata: { name: 'short', ...of('short') }, type });
    await filled('short');
    await accounts().delete('short');
    await secrets().waitFor('short', 'deleted');
    await accounts().create({ metadata: { name: 'short' } });
    const uid = { 'kubernetes.io/service-account.uid': account.metadata.uid };
    await secrets().create({ metadata: { name: 'late', ...of('short', uid) }, type });
    await secrets().waitFor('late', 'deleted');
    await secrets().create({ metadata: { name: 'none', ...of('none') }, type });
    await secrets().waitFor('none', 'deleted');
  });

  test('an account names no secret that has been deleted', async () => {
    await accounts().create({ metadata: { name: 'names' }, secrets: [{ name: 'named' }, { name: 'other' }] });
    await secrets().create({ metadata: { name: 'named', ...of('names') }, type });
    await filled('named');
    await secrets().delete('named');
    const account = await accounts().waitFor('names', (one) => one?.secrets?.length === 1);
    assert.deepEqual(account?.secrets, [{ name: 'other' }]);
  });

  test('other secrets are left alone', async () => {
    await secrets().create({ metadata: { name: 'plain', ...of('nobody') }, stringData: { a: 'b' } });
    await accounts().create({ metadata: { name: 'last' } });
    await secrets().create({ metadata: { name: 'last', ...of('last') }, type });
    await filled('last');
    assert.deepEqual((await secrets().get('plain')).data, { a: 'Yg==' });
  });
});
