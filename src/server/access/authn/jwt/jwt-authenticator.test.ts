import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { systemClock } from '../../../../base/clock.ts';
import { MetricsRegistry } from '../../../../base/metrics.ts';
import { contentHash } from '../../../../base/reload-metrics.ts';
import { FieldPath } from '../../../../machinery/field.ts';
import type { TestRemote } from '../../../../../test/support/webhook-remote.ts';
import { testRemote } from '../../../../../test/support/webhook-remote.ts';
import type { JwtConfiguration } from './configuration.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { JwtAuthenticator, signingAlgorithms } from './jwt-authenticator.ts';
import { JwtIssuers } from './jwt-issuers.ts';
import { JwtMetrics, jwtFamilies } from './jwt-metrics.ts';
import { JwtValidation } from './validation.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const expires = 4_000_000_000;

function tokenOf(claims: object, { kid = 'one', alg = 'RS256', key = rsa.privateKey } = {}): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ alg, kid })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** An issuer with one key. */
async function issuer(): Promise<TestRemote & { readonly issuerUrl: string; readonly fetches: () => number }> {
  let fetches = 0;
  const remote = await testRemote((_body, { url, headers }: IncomingMessage) => {
    if (url !== '/keys') return { issuer: `https://${headers.host}`, jwks_uri: `https://${headers.host}/keys` };
    fetches++;
    return { keys: [{ ...rsa.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] };
  });
  return Object.assign(remote, { issuerUrl: remote.url.origin, fetches: () => fetches });
}

async function authenticatorOf(remote: TestRemote, rest: Omit<JwtConfiguration, 'issuer'>) {
  const url = remote.url.origin;
  const configuration: JwtConfiguration = { ...rest, issuer: { url, audiences: ['me'] } };
  const validation = new JwtValidation();
  const expressions = validation.issuerAndClaims(configuration, (name) => FieldPath.root(name), []);
  assert.deepEqual(validation.errors.map(String), []);
  const keys = new IssuerKeys({ url, authorities: remote.authorities, clock: systemClock, onFailure: assert.fail });
  await keys.discover();
  const authenticator = new JwtAuthenticator({ configuration, expressions, keys, algorithms: signingAlgorithms, clock: systemClock });
  return { authenticator, [Symbol.dispose]: () => keys[Symbol.dispose]() };
}

const bySubject = { claimMappings: { username: { claim: 'sub', prefix: 'p:' }, groups: { claim: 'groups', prefix: 'g:' } } };

describe('JwtAuthenticator', () => {
  test('takes the user from claims, and passes over tokens of other issuers', async () => {
    await using remote = await issuer();
    using made = await authenticatorOf(remote, bySubject);
    const claims = { iss: remote.issuerUrl, aud: ['x', 'me'], exp: expires, sub: 'jane', groups: ['a', 'b'], jti: 'i' };
    const extra = { 'authentication.kubernetes.io/credential-id': ['JTI=i'] };
    const expected = { name: 'p:jane', groups: ['g:a', 'g:b'], uid: '', extra };
    assert.deepEqual(await made.authenticator.authenticate(tokenOf(claims)), expected);
    assert.deepEqual((await made.authenticator.authenticate(tokenOf({ ...claims, groups: 'a' })))?.groups, ['g:a']);
    assert.equal(await made.authenticator.authenticate(tokenOf({ ...claims, iss: 'https://other' })), undefined);
    assert.equal(await made.authenticator.authenticate('no token'), undefined);
  });

  test('refuses tokens that are not good, and says why', async () => {
    await using remote = await issuer();
    using made = await authenticatorOf(remote, { ...bySubject, claimValidationRules: [{ claim: 'tenant', requiredValue: 't' }] });
    const claims = { iss: remote.issuerUrl, aud: 'me', exp: expires, sub: 'jane', tenant: 't' };
    const cases: readonly (readonly [token: string, message: string])[] = [
      [
        tokenOf(claims, { key: stranger.privateKey }),
        'oidc: verify token: failed to verify signature: failed to verify id token signature',
      ],
      [tokenOf({ ...claims, aud: 'you' }), 'oidc: verify token: oidc: expected audience "me" got ["you"]'],
      [tokenOf({ ...claims, exp: 1000 }), 'oidc: verify token: oidc: token is expired (Token Expiry: 1970-01-01 00:16:40 +0000 UTC)'],
      [
        tokenOf({ ...claims, sub: 3 }),
        'oidc: verify token: oidc: failed to unmarshal claims: json: cannot unmarshal number into Go struct field idToken.sub of type string',
      ],
      [tokenOf({ ...claims, sub: undefined }), 'oidc: parse username claims "sub": claim not present'],
      [tokenOf({ ...claims, tenant: 'u' }), 'oidc: required claim tenant value does not match. Got = u, want = t'],
      [tokenOf({ ...claims, tenant: undefined }), 'oidc: required claim tenant not present in ID token'],
    ];
    for (const [token, message] of cases) await assert.rejects(made.authenticator.authenticate(token), { message });
    await assert.rejects(
      made.authenticator.authenticate(tokenOf(claims, { alg: 'HS256' })),
      /unsupported algorithm, expected \["ES256" .*\] got "HS256"/,
    );
  });

  test('evaluates expressions over claims, whose numbers are doubles and whose names may be escaped', async () => {
    await using remote = await issuer();
    using made = await authenticatorOf(remote, {
      claimMappings: {
        username: { expression: "'u:' + claims.sub" },
        groups: { expression: 'claims.roles.x__dot__y' },
        uid: { expression: 'string(claims.n)' },
        extra: [{ key: 'example.com/none', valueExpression: "''" }],
      },
      claimValidationRules: [{ expression: 'type(claims.n) == double', message: 'no double' }],
      userValidationRules: [{ expression: "!user.username.startsWith('u:system:')", message: 'reserved' }],
    });
    const claims = { iss: remote.issuerUrl, aud: 'me', exp: expires, sub: 'jane', n: 3, roles: { 'x.y': ['r'] } };
    assert.deepEqual(await made.authenticator.authenticate(tokenOf(claims)), { name: 'u:jane', groups: ['r'], uid: '3', extra: {} });
    await assert.rejects(made.authenticator.authenticate(tokenOf({ ...claims, sub: 'system:x' })), {
      message:
        "oidc: error evaluating user info validation rule: validation expression '!user.username.startsWith('u:system:')' failed: reserved",
    });
  });

  test('fetches keys when it needs them first, and again when none fits', async () => {
    await using remote = await issuer();
    using made = await authenticatorOf(remote, bySubject);
    const claims = { iss: remote.issuerUrl, aud: 'me', exp: expires, sub: 'jane' };
    assert.equal(remote.fetches(), 0);
    await made.authenticator.authenticate(tokenOf(claims));
    await made.authenticator.authenticate(tokenOf({ ...claims, sub: 'joe' }));
    assert.equal(remote.fetches(), 1);
    await assert.rejects(made.authenticator.authenticate(tokenOf(claims, { kid: 'two' })));
    assert.equal(remote.fetches(), 2);
  });
});

test('an issuer that sends more keys than anyone has is not listened to', async () => {
  await using remote = await testRemote(() => ({ keys: ['x'.repeat(1_100_000)] }));
  using keys = new IssuerKeys({ url: remote.url.origin, authorities: remote.authorities, clock: systemClock, onFailure: () => {} });
  await assert.rejects(keys.get(`${remote.url.origin}/keys`), /larger than 1048576 bytes/);
});

describe('JwtValidation', () => {
  const valid = { issuer: { url: 'https://x', audiences: ['a'] }, claimMappings: { username: { claim: 'sub', prefix: '' } } };
  const cases: readonly (readonly [name: string, change: JwtConfiguration, errors: readonly string[]])[] = [
    ['accepts what is complete', {}, []],
    [
      'wants https',
      { issuer: { url: 'http://x', audiences: ['a'] } },
      ['jwt[0].issuer.url: Invalid value: "http://x": URL scheme must be https'],
    ],
    [
      'wants a policy for several audiences',
      { issuer: { url: 'https://x', audiences: ['a', 'b'] } },
      ['jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences'],
    ],
    ['wants a user name', { claimMappings: {} }, ['jwt[0].claimMappings.username: Required value: claim or expression is required']],
    [
      'reserves extra keys of Kubernetes',
      { claimMappings: { ...valid.claimMappings, extra: [{ key: 'x.k8s.io/a', valueExpression: "''" }] } },
      [
        'jwt[0].claimMappings.extra[0].key: Invalid value: "x.k8s.io/a": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
      ],
    ],
    [
      'wants rules to be conditions',
      { userValidationRules: [{ expression: "'a'" }] },
      [`jwt[0].userValidationRules[0].expression: Invalid value: "'a'": must evaluate to bool`],
    ],
    [
      'lets mail addresses be verified anywhere',
      {
        claimMappings: { username: { expression: 'claims.email' } },
        claimValidationRules: [{ expression: 'claims.?email_verified.orValue(true) == true' }],
      },
      [],
    ],
  ];
  for (const [name, change, errors] of cases) {
    test(name, () => assert.deepEqual(new JwtValidation().configuration({ jwt: [{ ...valid, ...change }] }).errors.map(String), errors));
  }
});

test('tokens of an issuer are counted by whether they are good, and it shows when its keys were asked for and what they were', async () => {
  const registry = new MetricsRegistry();
  const { seconds, fetched, keySet } = jwtFamilies(registry);
  await using remote = await issuer();
  const url = remote.issuerUrl;
  const metrics = new JwtMetrics(registry, url, 'server');
  const onFetched = (fetchedKeySet: Uint8Array | undefined): void => metrics.fetchedKeys(fetchedKeySet);
  const shownKeySets = (): string[] =>
    [...keySet.children()].map(([[issuerHash, serverHash, hash]]) => `${issuerHash} ${serverHash} ${hash}`);
  const keys = new IssuerKeys({ url, authorities: remote.authorities, clock: systemClock, onFailure: assert.fail, onFetched });
  const configuration = { issuer: { url, audiences: ['me'] }, ...bySubject };
  const expressions = new JwtValidation().issuerAndClaims(configuration, (name) => FieldPath.root(name), []);
  const authenticator = new JwtAuthenticator({ configuration, expressions, keys, algorithms: signingAlgorithms, clock: systemClock });
  await keys.discover();
  using issuers = new JwtIssuers([{ url, keys, authenticator, metrics }], systemClock);
  const claims = { iss: url, aud: ['me'], exp: expires, sub: 'jane' };
  assert.equal((await issuers.authenticate(tokenOf(claims)))?.name, 'p:jane');
  await assert.rejects(issuers.authenticate(tokenOf({ ...claims, aud: ['another'] })));
  assert.equal(await issuers.authenticate(tokenOf({ ...claims, iss: 'https://other' })), undefined);
  const results = [...seconds.children()].map(([[result], child]) => [result, child.total]);
  assert.deepEqual(results, [
    ['success', 1],
    ['failure', 1],
  ]);
  assert.deepEqual(
    [...fetched.children()].map(([[result], { value }]) => [result, value > 0]),
    [['success', true]],
  );
  const jwks = Buffer.from(JSON.stringify({ keys: [{ ...rsa.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] }));
  const shown = (keys: Uint8Array): string => [url, 'server', keys].map((part) => contentHash(part)).join(' ');
  assert.deepEqual(shownKeySets(), [shown(jwks)]);
  new JwtMetrics(registry, 'https://other', 'server').fetchedKeys(jwks);
  const changed = Buffer.from('{"keys":[]}');
  new JwtMetrics(registry, url, 'server').fetchedKeys(changed);
  metrics.fetchedKeys(undefined);
  assert.deepEqual(
    shownKeySets().filter((one) => one.startsWith(contentHash(url))),
    [shown(changed)],
    'one per issuer, and kept when keys cannot be had',
  );
  await issuers.replace([]);
  assert.deepEqual(
    [...fetched.children()].map(([[result, issuerHash]]) => [result, issuerHash]),
    [['success', contentHash('https://other')]],
  );
  assert.equal(shownKeySets().length, 1);
});
