import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { testRemote } from '../../../../../test/support/webhook-remote.ts';
import { systemClock } from '../../../../base/clock.ts';
import { FieldPath } from '../../../../machinery/field.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { JwtAuthenticator, signingAlgorithms } from './jwt-authenticator.ts';
import { JwtValidation } from './validation.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });

function tokenOf(claims: object, key = privateKey): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** An issuer that has claims elsewhere: what is there says `claims`, and who asked says `asked`. */
async function world(claims: (url: string) => string | { readonly status: number }) {
  const asked: (string | undefined)[] = [];
  const remote = await testRemote((_body, { url, headers }: IncomingMessage) => {
    const origin = `https://${headers.host}`;
    if (url === '/keys') return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] };
    if (url !== '/claims') return { issuer: origin, jwks_uri: `${origin}/keys` };
    asked.push(headers.authorization);
    return (response: ServerResponse): void => {
      const answer = claims(origin);
      if (typeof answer === 'string') response.setHeader('content-type', 'application/jwt').end(answer);
      else response.writeHead(answer.status).end();
    };
  });
  const url = remote.url.origin;
  const claimMappings = { username: { claim: 'sub', prefix: '' }, groups: { claim: 'groups', prefix: 'g:' } };
  const configuration = { issuer: { url, audiences: ['me'] }, claimMappings };
  const expressions = new JwtValidation().issuerAndClaims(configuration, (name) => FieldPath.root(name), []);
  const keys = new IssuerKeys({ url, authorities: remote.authorities, clock: systemClock, onFailure: () => {} });
  await keys.discover();
  const authenticator = new JwtAuthenticator({ configuration, expressions, keys, algorithms: signingAlgorithms, clock: systemClock });
  const own = { iss: url, aud: 'me', exp: 4_000_000_000, sub: 'jane' };
  return {
    url,
    asked,
    own,
    groups: async (more: object) => (await authenticator.authenticate(tokenOf({ ...own, ...more })))?.groups,
    async [Symbol.asyncDispose]() {
      authenticator[Symbol.dispose]();
      keys[Symbol.dispose]();
      await remote[Symbol.asyncDispose]();
    },
  };
}

const claimsAt = (endpoint: string, more: object = {}): object => ({
  _claim_names: { groups: 'src1' },
  _claim_sources: { src1: { endpoint, ...more } },
});
const good = (url: string): string => tokenOf({ iss: url, aud: 'me', exp: 4_000_000_000, groups: ['a', 'b'] });

test('groups that are at another server are asked for there, with its token if there is one', async () => {
  await using made = await world(good);
  const endpoint = `${made.url}/claims`;
  assert.deepEqual(await made.groups(claimsAt(endpoint, { access_token: 'secret' })), ['g:a', 'g:b']);
  assert.deepEqual(await made.groups(claimsAt(endpoint)), ['g:a', 'g:b']);
  assert.deepEqual(made.asked, ['Bearer secret', undefined]);
});

test('another server is not asked when the token has groups, names none, or has them in a token beside', async () => {
  await using made = await world(good);
  assert.deepEqual(await made.groups({ ...claimsAt(`${made.url}/claims`), groups: ['own'] }), ['g:own']);
  assert.deepEqual(await made.groups({ _claim_names: { rank: 'src1' }, _claim_sources: {} }), []);
  assert.deepEqual(await made.groups({ _claim_names: { groups: 'src1' }, _claim_sources: { src1: { JWT: 'x.y.z' } } }), []);
  assert.deepEqual(made.asked, []);
});

const refused = 'oidc: could not expand distributed claims: ';
const malformed: readonly { claims: object; message: string }[] = [
  { claims: { _claim_names: { groups: 'src1' } }, message: 'oidc: no claim sources' },
  {
    claims: { _claim_names: 'x', _claim_sources: {} },
    message: 'oidc: error parsing distributed claim names: json: cannot unmarshal string into Go value of type map[string]string',
  },
  {
    claims: { _claim_names: { groups: 'src1' }, _claim_sources: { src2: {} } },
    message: 'id token _claim_names contained a source src1 missing in _claims_sources',
  },
];

for (const { claims, message } of malformed) {
  test(`a token is refused: ${message}`, async () => {
    await using made = await world(good);
    await assert.rejects(made.groups(claims), { message: refused + message });
  });
}

const answers: readonly { what: string; answer: (url: string) => string | { status: number }; message: RegExp }[] = [
  {
    what: 'an error',
    answer: () => ({ status: 500 }),
    message: /while getting distributed claim "groups": error while getting distributed claim JWT: 500 Internal Server Error$/,
  },
  {
    what: 'no token',
    answer: () => 'nonsense',
    message: /getting untrusted issuer from endpoint \S+ failed for claim "groups": malformed token$/,
  },
  {
    what: 'a token that another key signed',
    answer: (url) => tokenOf({ iss: url, aud: 'me', exp: 4_000_000_000, groups: ['a'] }, stranger.privateKey),
    message: /verify distributed claim token: failed to verify signature: failed to verify id token signature$/,
  },
  {
    what: 'a token for others',
    answer: (url) => tokenOf({ iss: url, aud: 'you', exp: 4_000_000_000, groups: ['a'] }),
    message: /verify distributed claim token: oidc: expected audience "me" got \["you"\]$/,
  },
  {
    what: 'an expired token',
    answer: (url) => tokenOf({ iss: url, aud: 'me', exp: 1000, groups: ['a'] }),
    message: /verify distributed claim token: oidc: token is expired/,
  },
  {
    what: 'a token of an issuer that says nothing of itself',
    answer: () => tokenOf({ iss: 'https://127.0.0.1:1', aud: 'me', exp: 4_000_000_000, groups: ['a'] }),
    message: /verifying untrusted issuer https:\/\/127\.0\.0\.1:1 failed: verifier not initialized for issuer: "https:\/\/127\.0\.0\.1:1"$/,
  },
  {
    what: 'a token without the claim',
    answer: (url) => tokenOf({ iss: url, aud: 'me', exp: 4_000_000_000 }),
    message: /jwt returned by distributed claim endpoint \S+ did not contain claim: groups$/,
  },
];

for (const { what, answer, message } of answers) {
  test(`a token is refused when the other server responds with ${what}`, async () => {
    await using made = await world(answer);
    await assert.rejects(made.groups(claimsAt(`${made.url}/claims`)), message);
  });
}
