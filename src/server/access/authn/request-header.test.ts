import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createAuthority, issueCertificate } from '../../../base/tls/certificate.ts';
import { Connection } from '../../http/connection.ts';
import { Request } from '../../http/request.ts';
import { passedHeaders } from '../../proxy/headers.ts';
import type { ObjectReader } from '../../registry/object-reader.ts';
import type { UserInfo } from '../../request/user.ts';
import { frontProxyHeaders, requestHeaderAuthenticator } from './request-header.ts';
import { readAuthorities } from './peer-certificate.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const validity = { from: new Date(now - 1e9), to: new Date(now + 1e9) };
const authority = createAuthority({ commonName: 'front-proxy-ca' }, validity);
const proxy = issueCertificate(authority, { subject: { commonName: 'proxy' }, uses: ['client'], validity });
const stranger = issueCertificate(createAuthority({ commonName: 'other' }, validity), {
  subject: { commonName: 'proxy' },
  uses: ['client'],
  validity,
});
const headers = {
  userHeaders: ['X-Remote-User', ' X-User '],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group', 'X-Group'],
  extraPrefixes: ['X-Remote-Extra-', 'X-Remote-'],
};
const reader = {} as ObjectReader;

function requestOf(lines: readonly string[], certificate: string | undefined = proxy.certificate): Request {
  const socket = { getPeerX509Certificate: () => certificate && new X509Certificate(certificate), remoteAddress: '10.0.0.1' };
  const source = {
    method: 'GET',
    target: '/',
    protocol: 'HTTP/1.1' as const,
    headers: {},
    lines,
    connection: new Connection(socket as unknown as TLSSocket),
    readBody: async () => undefined,
    body: undefined,
    onClose: () => {},
  };
  return new Request(source, 0);
}

async function userOf(lines: readonly string[], certificate?: string, allowedNames: readonly string[] = []): Promise<UserInfo | undefined> {
  const pool = readAuthorities(authority.certificate);
  return requestHeaderAuthenticator({ ...headers, authorities: () => pool, allowedNames, now: () => now })(
    requestOf(lines, certificate),
    reader,
  );
}

describe('a front proxy says who its client is', () => {
  test('in one value per line, commas included', async () => {
    const lines = [
      'X-Remote-User',
      'a,b',
      'X-Remote-Group',
      'a,system:masters',
      'x-remote-group',
      '',
      'X-REMOTE-GROUP',
      ' ,x',
      'X-Group',
      'y',
    ];
    const user = await userOf(lines);
    assert.equal(user?.name, 'a,b');
    assert.deepEqual(user.groups, ['a,system:masters', ' ,x', 'y']);
  });

  test('with the first header whose first line says something', async () => {
    assert.equal((await userOf(['X-Remote-User', '', 'X-Remote-User', 'later', 'X-User', 'other']))?.name, 'other');
    assert.equal((await userOf(['X-Remote-User', 'one', 'X-Remote-User', 'two']))?.name, 'one');
    assert.equal(await userOf(['X_Remote_User', 'underscore', 'X-Remote-Users', 'plural']), undefined);
  });

  test('in UTF-8', async () => {
    const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
    const user = await userOf(['X-Remote-User', latin1('jürgen'), 'X-Remote-Extra-%C3%84', latin1('ß')]);
    assert.equal(user?.name, 'jürgen');
    assert.deepEqual(user.extra['Ä'], ['ß']);
  });

  test('and more, once for each prefix that fits, with keys in lower case before they are unescaped', async () => {
    const user = await userOf([
      'X-Remote-User',
      'a',
      'X-Remote-Extra-Acme%2FScope%4D',
      'a,b',
      'x-remote-extra-acme%2fscope%4d',
      '',
      'X-Remote-Extra-%zz',
      'c',
    ]);
    assert.deepEqual(user?.extra['acme/scopeM'], ['a,b', '']);
    assert.deepEqual(user.extra['extra-acme/scopeM'], ['a,b', '']);
    assert.deepEqual(user.extra['%zz'], ['c']);
  });

  test('only with a certificate of its authority and one of the allowed names, even when it says nothing', async () => {
    await assert.rejects(userOf(['X-Remote-User', 'a'], stranger.certificate), { message: /unknown authority/ });
    await assert.rejects(userOf([], stranger.certificate), { message: /unknown authority/ });
    await assert.rejects(userOf(['X-Remote-User', 'a'], proxy.certificate, ['other']), {
      message: 'x509: subject with cn=proxy is not in the allowed list',
    });
    assert.equal((await userOf(['X-Remote-User', 'a'], proxy.certificate, ['other', 'proxy']))?.name, 'a');
  });
});

test('what says who a client is does not go on to other servers, whatever it is called', () => {
  const lines = ['X-User', 'a', 'X-GROUP', 'system:masters', 'X-Remote-User', 'b', 'X-Who-Scopes', 'c', 'Authorization', 'Bearer x'];
  const request = requestOf([...lines, 'Impersonate-Extra-X', 'y', 'Impersonate-Group', 'g', 'X-Other', '1', 'X-Other', '2,3']);
  request.isIdentityHeader = frontProxyHeaders({ ...headers, extraPrefixes: ['X-Who-'] });
  assert.deepEqual(passedHeaders(request, false), { 'x-other': ['1', '2,3'], 'x-forwarded-for': '10.0.0.1' });
});
