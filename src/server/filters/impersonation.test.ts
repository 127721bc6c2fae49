import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { request as startRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { RunningApiServer } from '../../index.ts';
import { startTestServer } from '../../testing/index.ts';

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
type Lines = readonly (readonly [name: string, value: string])[];

interface Reviewed {
  readonly message?: string;
  readonly code?: number;
  readonly status?: { readonly userInfo: { username: string; uid?: string; groups?: string[]; extra?: Record<string, string[]> } };
}

function grouped(lines: Lines): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (const [name, value] of lines) (headers[name.toLowerCase()] ??= []).push(value);
  return headers;
}

/** One line per value, over HTTP/1.1. */
async function http1(server: RunningApiServer, lines: Lines): Promise<Reviewed> {
  const { authority, admin, port } = server;
  const outgoing = startRequest({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    ca: authority.certificate,
    cert: admin.certificate,
    key: admin.key,
    agent: false,
    headers: ['host', 'localhost', 'content-type', 'application/json', 'content-length', `${review.length}`, ...lines.flat()],
  });
  // A string would take the headers along into its own encoding.
  outgoing.end(Buffer.from(review));
  const [response] = (await once(outgoing, 'response')) as [Readable];
  return JSON.parse(await text(response)) as Reviewed;
}

async function http2(server: RunningApiServer, lines: Lines): Promise<Reviewed> {
  const { authority, admin, url } = server;
  const session = connect(url, { ca: authority.certificate, cert: admin.certificate, key: admin.key, maxSendHeaderBlockLength: 1 << 20 });
  const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json', ...grouped(lines) });
  stream.end(review);
  const body = await text(stream);
  session.destroy();
  return JSON.parse(body) as Reviewed;
}

const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

const cases: readonly (readonly [what: string, lines: Lines, user: NonNullable<Reviewed['status']>['userInfo']])[] = [
  [
    'a comma in a group is part of its name',
    [
      ['Impersonate-User', 'bob'],
      ['Impersonate-Group', 'a,system:masters'],
      ['Impersonate-Group', ',,,x'],
    ],
    { username: 'bob', groups: ['a,system:masters', ',,,x', 'system:authenticated'] },
  ],
  [
    'a comma in a user name, too',
    [
      ['Impersonate-User', 'a, b'],
      ['Impersonate-Uid', '1,2'],
    ],
    { username: 'a, b', uid: '1,2', groups: ['system:authenticated'] },
  ],
  [
    'of several user names the first counts',
    [
      ['Impersonate-User', 'one'],
      ['Impersonate-User', 'two'],
    ],
    { username: 'one', groups: ['system:authenticated'] },
  ],
  [
    'names are UTF-8',
    [
      ['Impersonate-User', utf8('jürgen')],
      ['Impersonate-Group', utf8('köche,')],
    ],
    { username: 'jürgen', groups: ['köche,', 'system:authenticated'] },
  ],
  [
    'extra values stay apart, and their keys are unescaped',
    [
      ['Impersonate-User', 'bob'],
      ['Impersonate-Extra-Acme.io%2fScopes', 'a,b'],
      ['Impersonate-Extra-ACME.io%2FScopes', 'c'],
    ],
    { username: 'bob', groups: ['system:authenticated'], extra: { 'acme.io/scopes': ['a,b', 'c'] } },
  ],
  [
    'a key that means something to JavaScript is a key like any other',
    [
      ['Impersonate-User', 'bob'],
      ['Impersonate-Extra-__proto__', 'x'],
    ],
    { username: 'bob', groups: ['system:authenticated'], extra: { ['__proto__']: ['x'] } },
  ],
];

describe('impersonation takes headers line by line', () => {
  let server: RunningApiServer;
  before(async () => void (server = await startTestServer({ controllers: false })));
  after(() => server.stop());

  for (const [what, lines, user] of cases) {
    for (const send of [http1, http2]) {
      test(`${what} (${send.name})`, async () => {
        const answer = await send(server, lines);
        assert.equal(JSON.stringify(answer.status?.userInfo), JSON.stringify(user));
      });
    }
  }

  test('a user may have more groups than node allows headers', async () => {
    const groups = Array.from({ length: 3000 }, (_, i) => `group-${i}`);
    const lines: Lines = [['Impersonate-User', 'bob'], ...groups.map((group) => ['Impersonate-Group', group] as const)];
    for (const send of [http1, http2]) {
      assert.deepEqual((await send(server, lines)).status?.userInfo.groups, [...groups, 'system:authenticated'], send.name);
    }
  });

  test('an empty user name alone is no impersonation', async () => {
    assert.equal((await http1(server, [['Impersonate-User', '']])).status?.userInfo.username, 'kubernetes-admin');
  });

  test('anything else needs a user name', async () => {
    const answer = await http1(server, [
      ['Impersonate-User', ''],
      ['Impersonate-User', 'x'],
      ['Impersonate-Group', 'a,b'],
    ]);
    assert.equal(answer.code, 400);
    assert.equal(
      answer.message,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a,b"}, Extra:map[string][]string(nil)} without impersonating a user name',
    );
  });
});
