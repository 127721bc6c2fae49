import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { RawClient } from '../../test/support/raw-client.ts';
import { TokenSigner, signerKey } from '../../test/support/token-signer.ts';
import { ManualClock } from '../base/clock.ts';
import type { RunningApiServer } from '../index.ts';
import { startApiServer } from '../index.ts';
import { until } from '../../test/support/eventually.ts';

const root = await mkdtemp(join(tmpdir(), 'signer-'));
after(() => rm(root, { recursive: true, force: true }));

let sockets = 0;
async function withSigner(
  use: (parts: { signer: TokenSigner; server: RunningApiServer; client: RawClient; clock: ManualClock }) => Promise<void>,
): Promise<void> {
  await using signer = new TokenSigner();
  const signingEndpoint = join(root, `${sockets++}.sock`);
  await signer.listen(signingEndpoint);
  const clock = new ManualClock(Date.now());
  await using server = await startApiServer({ clock, authentication: { serviceAccounts: { signingEndpoint } } });
  await using client = new RawClient(server);
  await client.call('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name: 'a' } } });
  await use({ signer, server, client, clock });
}

async function token(client: RawClient, spec: object = {}): Promise<{ status: number; text: string; token: string }> {
  const path = '/api/v1/namespaces/default/serviceaccounts/a/token';
  const { status, text } = await client.call('POST', path, {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec },
  });
  return { status, text, token: (JSON.parse(text) as { status?: { token?: string } }).status?.token ?? '' };
}

async function who(client: RawClient, bearer: string): Promise<string> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: bearer } };
  const { text } = await client.call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body });
  const { status } = JSON.parse(text) as { status: { user?: { username?: string }; error?: string } };
  return status.user?.username ?? status.error ?? '';
}

test('tokens are signed and verified by a process of its own, whose keys are published', async () => {
  await withSigner(async ({ signer, client }) => {
    const issued = await token(client);
    assert.equal(issued.status, 201, issued.text);
    const header = JSON.parse(Buffer.from(issued.token.split('.')[0] ?? '', 'base64url').toString()) as object;
    assert.deepEqual(header, { alg: 'ES256', kid: 'one', typ: 'JWT' });
    assert.equal(await who(client, issued.token), 'system:serviceaccount:default:a');
    const keySet = await client.call('GET', '/openid/v1/jwks');
    assert.deepEqual(
      (JSON.parse(keySet.text) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid),
      ['one'],
    );
    assert.equal(keySet.headers['cache-control'], 'public, max-age=3600');
    assert.equal(signer.fetched, 1);
    const { text } = await client.call('GET', '/metrics');
    assert.match(text, /\napiserver_externaljwt_sign_request_total\{code="OK"\} 1\n/);
    assert.match(text, /\napiserver_externaljwt_fetch_keys_data_timestamp 1.7e\+09\n/);
  });
});

test('a key that the server does not know is asked for, old ones count for as long as the signer says, and keys are fetched when due', async () => {
  await withSigner(async ({ signer, client, clock }) => {
    const { token: before } = await token(client);
    const [old] = signer.keys;
    assert.ok(old);
    old.isUndiscoverable = true;
    signer.keys = [signerKey('two'), old];
    const { token: later, text } = await token(client);
    assert.equal(await who(client, later), 'system:serviceaccount:default:a', text);
    assert.equal(await who(client, before), 'system:serviceaccount:default:a');
    const kids = async (): Promise<string[]> =>
      (JSON.parse((await client.call('GET', '/openid/v1/jwks')).text) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    assert.deepEqual(await kids(), ['two']);
    signer.keys = [signerKey('three')];
    const { fetched } = signer;
    clock.advance(3_600_000);
    await until('keys are fetched again', () => signer.fetched !== fetched);
    await until('the third key is shown', async () => (await kids())[0] === 'three');
    assert.match(await who(client, before), /no keys found/);
  });
});

test('what the signer answers is not trusted', async () => {
  await withSigner(async ({ signer, client }) => {
    const faults: readonly (readonly [header: Record<string, unknown>, message: string])[] = [
      [{ typ: 'JOSE' }, 'while validating header: bad type'],
      [{ typ: 'JWT', kid: '' }, 'while validating header: key id missing'],
      [{ typ: 'JWT', kid: 'k'.repeat(1025) }, 'while validating header: key id longer than 1 kb'],
      [{ typ: 'JWT', alg: 'none' }, 'while validating header: bad signing algorithm \\"none\\"'],
      [{ typ: 'JWT', jku: 'https://x' }, 'while validating header: while parsing header JSON: json: unknown field \\"jku\\"'],
    ];
    for (const [header, message] of faults) {
      signer.header = header;
      const { status, text } = await token(client);
      assert.equal(status, 500);
      assert.ok(text.includes(`"message":"Internal error occurred: failed to generate token: ${message}"`), text);
    }
    signer.header = { typ: 'JWT' };
    (signer.keys[0] as { isUndiscoverable: boolean }).isUndiscoverable = true;
    signer.keys = [{ ...(signer.keys[0] as (typeof signer.keys)[0]), id: 'hidden' }];
    assert.match((await token(client)).text, /key used for signing JWT \(kid: hidden\) is excluded from OIDC discovery docs/);
  });
});

test('tokens live no longer than the signer allows', async () => {
  await withSigner(async ({ client }) => {
    const { text } = await token(client, { expirationSeconds: 100_000 });
    assert.equal((JSON.parse(text) as { spec: { expirationSeconds: number } }).spec.expirationSeconds, 7200);
  });
  await using signer = new TokenSigner();
  signer.maxTokenSeconds = 60;
  const signingEndpoint = join(root, 'short.sock');
  await signer.listen(signingEndpoint);
  await assert.rejects(startApiServer({ authentication: { serviceAccounts: { signingEndpoint } } }), {
    message: 'max token life supported by external-jwt-signer (60s) is less than acceptable (min 600s)',
  });
  signer.maxTokenSeconds = 7200;
  const serviceAccounts = { signingEndpoint, maxTokenExpirationMs: 24 * 3600_000 };
  await assert.rejects(startApiServer({ authentication: { serviceAccounts } }), {
    message:
      'service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: 24h0m0s > 2h0m0s',
  });
  signer.keys = [];
  await assert.rejects(startApiServer({ authentication: { serviceAccounts: { signingEndpoint } } }), {
    message:
      'while setting up external-jwt-signer: while initially filling key cache: while performing initial cache fill: while fetching token verification keys: found no keys',
  });
});
