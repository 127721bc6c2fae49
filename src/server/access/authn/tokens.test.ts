import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import { after, before, test } from 'node:test';
import type { TokenRequest, TokenReview, SelfSubjectReview } from '../../../schema/types/authentication-v1.ts';
import type { TestServer } from '../../../testing/index.ts';
import { ManualClock, startTestServer } from '../../../testing/index.ts';

const clock = new ManualClock(Date.now());
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
let server: TestServer;

before(async () => {
  server = await startTestServer({ clock, controllers: false });
});
after(async () => {
  await server.stop();
});

/** As the admin, or as the holder of a token. */
async function call<T = unknown>(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; body: T }> {
  const credentials = token === undefined ? { cert: server.admin.certificate, key: server.admin.key } : {};
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const agent = new Agent({ ca: server.authority.certificate, ...credentials });
  try {
    return await new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, server.url), { method, agent, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as T })).on('error', reject);
      });
      outgoing.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  } finally {
    agent.destroy();
  }
}

async function tokenOf(account: string, spec: Partial<TokenRequest['spec']> = {}): Promise<string> {
  await call('POST', accounts, { metadata: { name: account } });
  const { status, body } = await call<TokenRequest>('POST', `${accounts}/${account}/token`, { spec });
  assert.equal(status, 201);
  return body.status.token;
}

test('whoever has an account’s token is that account', async () => {
  const { body } = await call<SelfSubjectReview>('POST', whoAmI, {}, await tokenOf('one'));
  const { username, groups, extra } = body.status.userInfo;
  assert.equal(username, 'system:serviceaccount:default:one');
  assert.deepEqual(groups, ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated']);
  assert.match(extra?.['authentication.kubernetes.io/credential-id']?.[0] ?? '', /^JTI=/);
});

test('a token for others is no good here, and a review for them says so', async () => {
  const token = await tokenOf('two', { audiences: ['elsewhere'] });
  assert.equal((await call('POST', whoAmI, {}, token)).status, 401);
  const good = await call<TokenReview>('POST', reviews, { spec: { token, audiences: ['elsewhere'] } });
  assert.deepEqual(good.body.status.audiences, ['elsewhere']);
  const bad = await call<TokenReview>('POST', reviews, { spec: { token } });
  assert.match(bad.body.status.error ?? '', /is invalid for the target audiences/);
});

test('a token dies with its account, ten seconds later at most', async () => {
  const token = await tokenOf('three');
  assert.equal((await call('POST', whoAmI, {}, token)).status, 201);
  await call('DELETE', `${accounts}/three`);
  clock.advance(11_000);
  assert.equal((await call('POST', whoAmI, {}, token)).status, 401);
});

test('a token that has expired is refused', async () => {
  const token = await tokenOf('four', { expirationSeconds: 600 });
  clock.advance(700_000);
  const { body } = await call<TokenReview>('POST', reviews, { spec: { token } });
  assert.equal(body.status.error, '[invalid bearer token, service account token has expired]');
});

test('a token bound to a secret dies with the secret', async () => {
  await call('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
  const token = await tokenOf('five', { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's' } });
  assert.equal((await call('POST', whoAmI, {}, token)).status, 201);
  await call('DELETE', '/api/v1/namespaces/default/secrets/s');
  clock.advance(11_000);
  const { body } = await call<TokenReview>('POST', reviews, { spec: { token } });
  assert.equal(body.status.error, '[invalid bearer token, service account token has been invalidated]');
});
