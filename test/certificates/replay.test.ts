import assert from 'node:assert/strict';
import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { readCertificate } from '../../src/base/x509/certificate.ts';
import { CertificatePool } from '../../src/base/x509/certificate-pool.ts';
import { unionAuthenticator } from '../../src/server/access/authn/authenticator.ts';
import { requestHeaderAuthenticator } from '../../src/server/access/authn/request-header.ts';
import { x509Authenticator } from '../../src/server/access/authn/x509.ts';
import { Connection } from '../../src/server/http/connection.ts';
import { Request } from '../../src/server/http/request.ts';
import { anonymous } from '../../src/server/request/user.ts';
import type { ObjectReader } from '../../src/server/registry/object-reader.ts';
import type { ChainCase } from './chain-cases.ts';
import { makeChainCases } from './chain-cases.ts';
import type { Verdict, Verdicts } from './verdict.ts';
import { proxyHeaders, verdictOf } from './verdict.ts';

/** What upstream said of each chain; see `compare.ts`. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'verdicts.json'), 'utf8')) as Record<string, Verdicts>;
const now = Date.parse('2026-11-01T12:00:00Z');
const { roots, cases } = makeChainCases(now);
const pool = new CertificatePool(roots.map(({ bytes }) => readCertificate(bytes)));
const options = { authorities: () => pool, now: () => now };
const asClient = unionAuthenticator([x509Authenticator({ ...options, readsUid: true })]);
const asProxy = unionAuthenticator([
  requestHeaderAuthenticator({
    ...options,
    allowedNames: [],
    userHeaders: ['X-Remote-User'],
    uidHeaders: [],
    groupHeaders: ['X-Remote-Group'],
    extraPrefixes: ['X-Remote-Extra-'],
  }),
]);

async function verdict(one: ChainCase, headers: Readonly<Record<string, string>>): Promise<Verdict | null> {
  const peer = one.chain.reduceRight<object | undefined>((issuerCertificate, { bytes }) => ({ raw: bytes, issuerCertificate }), undefined);
  const socket = { getPeerX509Certificate: () => peer as X509Certificate | undefined };
  const source = {
    method: 'GET',
    target: '/',
    protocol: 'HTTP/1.1' as const,
    headers,
    connection: new Connection(socket as unknown as TLSSocket),
    readBody: async () => undefined,
    body: undefined,
    onClose: () => {},
  };
  try {
    const isProxy = headers === proxyHeaders;
    const user = (await (isProxy ? asProxy : asClient)(new Request(source, 0), {} as ObjectReader)) ?? anonymous;
    return verdictOf({ ...user, username: user.name }, one, isProxy);
  } catch {
    return null; // why is not for the client to know
  }
}

describe('a client certificate is taken for whom upstream takes it', () => {
  for (const one of cases) {
    test(one.name, async () => {
      assert.deepEqual({ client: await verdict(one, {}), proxy: await verdict(one, proxyHeaders) }, recorded[one.name]);
    });
  }

  test('every chain has been shown to upstream', () => {
    assert.deepEqual(
      Object.keys(recorded),
      cases.map(({ name }) => name),
    );
  });
});
