import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../../base/clock.ts';
import { Connection } from '../../http/connection.ts';
import { Request } from '../../http/request.ts';
import type { ObjectReader } from '../../registry/object-reader.ts';
import { unionAuthenticator } from './authenticator.ts';
import { bearerTokenAuthenticators } from './bearer-token.ts';
import type { TokenHolder } from '../../registry/tokens.ts';
import { cachedTokenAuthenticator } from './token-cache.ts';

const reader = {} as ObjectReader;
const holder = (name: string): TokenHolder => ({ user: { name, uid: '', groups: [], extra: {} }, audiences: undefined });
const authenticate = unionAuthenticator(
  bearerTokenAuthenticators({ audiences: [], authenticate: (token) => (token.startsWith('good') ? holder(token) : undefined) }),
);

function requestOf(headers: Record<string, string>, lines?: readonly string[]): Request {
  const source = {
    method: 'GET',
    target: '/',
    protocol: 'HTTP/1.1' as const,
    headers,
    ...(lines !== undefined && { lines }),
    connection: new Connection(undefined),
    readBody: async () => undefined,
    body: undefined,
    onClose: () => {},
  };
  return new Request(source, 0);
}

async function nameOf(headers: Record<string, string>, lines?: readonly string[]): Promise<string | undefined> {
  return (await authenticate(requestOf(headers, lines), reader))?.name;
}

const encoded = (token: string | Buffer): string => `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
const webSocket = (protocols: string, more = {}): Record<string, string> => ({
  upgrade: 'WebSocket',
  connection: 'keep-alive, Upgrade',
  'sec-websocket-protocol': protocols,
  ...more,
});

describe('a bearer token', () => {
  test('follows its scheme after one space', async () => {
    assert.equal(await nameOf({ authorization: ' BEARER good ignored' }), 'good');
    assert.equal(await nameOf({ authorization: 'Basic good' }), undefined);
    assert.equal(await nameOf({ authorization: 'Bearer' }), undefined);
    const request = requestOf({ authorization: 'Bearer  good' });
    assert.equal(await authenticate(request, reader), undefined);
    assert.match(request.warnings[0] ?? '', /contains extra space before the bearer token/);
    await assert.rejects(async () => nameOf({ authorization: 'Bearer bad' }), { message: 'invalid bearer token' });
  });

  test('is UTF-8', async () => {
    assert.equal(await nameOf({ authorization: Buffer.from('Bearer goodß').toString('latin1') }), 'goodß');
  });

  test('may be a protocol of a WebSocket, also when the header holds a bad one', async () => {
    assert.equal(await nameOf(webSocket(`v4.channel.k8s.io, ${encoded('good')}`)), 'good');
    assert.equal(await nameOf(webSocket(`a,${encoded('good')}`, { authorization: 'Bearer bad' })), 'good');
    assert.equal(await nameOf(webSocket('', {}), ['Sec-WebSocket-Protocol', 'a', 'sec-websocket-protocol', encoded('good')]), 'good');
  });

  test('is no protocol of anything else', async () => {
    assert.equal(await nameOf(webSocket(`a,${encoded('good')}`, { upgrade: 'h2c' })), undefined);
    assert.equal(await nameOf(webSocket(`a,${encoded('good')}`, { connection: 'close' })), undefined);
  });

  const refused: readonly (readonly [string, string])[] = [
    [encoded('good'), 'missing additional subprotocol'],
    [`a,${encoded('good')},${encoded('good')}`, 'multiple base64.bearer.authorization tokens specified'],
    [`a,${encoded('good')}=`, 'invalid base64.bearer.authorization token encoding'],
    [`a,${encoded('good')}!`, 'invalid base64.bearer.authorization token encoding'],
    [`a,${encoded('goody1').slice(0, -3)}`, 'invalid base64.bearer.authorization token encoding'],
    [`a,${encoded(Buffer.from([0x67, 0xff]))}`, 'invalid base64.bearer.authorization token'],
    [`a,${encoded('bad')}`, 'invalid bearer token'],
  ];
  for (const [protocols, message] of refused) {
    test(`in ${protocols} is refused: ${message}`, async () => {
      await assert.rejects(async () => nameOf(webSocket(protocols)), { message });
    });
  }
});

test('what is remembered of a token for some audiences is not taken for others that are written alike', async () => {
  let asked = 0;
  const cached = cachedTokenAuthenticator(
    async (_token, audiences) => {
      asked++;
      return audiences?.length === 1 ? holder('for one odd audience') : undefined;
    },
    { clock: systemClock, successTtlMs: 1000, unknownTtlMs: 0 },
  );
  assert.equal((await cached('t', ['a\0b'], reader))?.user.name, 'for one odd audience');
  assert.equal(await cached('t', ['a', 'b'], reader), undefined);
  assert.equal(await cached('t', undefined, reader), undefined);
  assert.equal(await cached('t', [], reader), undefined);
  assert.equal(asked, 4);
});
