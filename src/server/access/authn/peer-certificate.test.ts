import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createAuthority, issueCertificate } from '../../../base/tls/certificate.ts';
import { Connection } from '../../http/connection.ts';
import { peerVerifier, readAuthorities } from './peer-certificate.ts';

const start = Date.parse('2026-06-01T00:00:00Z');
const validity = { from: new Date(start - 1e9), to: new Date(start + 1e9) };
const authority = createAuthority({ commonName: 'ca' }, validity);
const client = issueCertificate(authority, { subject: { commonName: 'alice' }, uses: ['client'], validity });

function connection(certificate = client.certificate): Connection {
  return new Connection({ getPeerX509Certificate: () => new X509Certificate(certificate) } as unknown as TLSSocket);
}

describe('a chain that was found to be good', () => {
  const good = readAuthorities(authority.certificate);

  test('is known on the next connection', async () => {
    const verdictOf = peerVerifier(
      () => good,
      () => start,
    );
    const first = verdictOf(connection());
    assert.ok(first instanceof Promise);
    const verdict = await first;
    assert.ok('certificate' in verdict);
    assert.equal(verdictOf(connection()), verdict);
  });

  test('is verified again for other authorities', async () => {
    let authorities = good;
    const verdictOf = peerVerifier(
      () => authorities,
      () => start,
    );
    await verdictOf(connection());
    authorities = readAuthorities(createAuthority({ commonName: 'ca' }, validity).certificate);
    const verdict = await verdictOf(connection());
    assert.ok(verdict !== undefined && 'error' in verdict);
    authorities = good;
    assert.ok('certificate' in ((await verdictOf(connection())) ?? {}));
  });

  test('is not good any more when it has expired', async () => {
    let now = start;
    const verdictOf = peerVerifier(
      () => good,
      () => now,
    );
    await verdictOf(connection());
    now = validity.to.getTime() + 1000;
    const verdict = await verdictOf(connection());
    assert.ok(verdict !== undefined && 'error' in verdict);
  });

  test('says nothing about another certificate of the same name', async () => {
    const verdictOf = peerVerifier(
      () => good,
      () => start,
    );
    await verdictOf(connection());
    const other = createAuthority({ commonName: 'ca' }, validity);
    const forged = issueCertificate(other, { subject: { commonName: 'alice' }, uses: ['client'], validity });
    const verdict = await verdictOf(connection(forged.certificate));
    assert.ok(verdict !== undefined && 'error' in verdict);
  });

  test('is forgotten when many others have come, and verified again', async () => {
    const verdictOf = peerVerifier(
      () => good,
      () => start,
    );
    await verdictOf(connection());
    for (let i = 0; i < 256; i++) {
      const one = issueCertificate(authority, { subject: { commonName: `client-${i}` }, uses: ['client'], validity });
      await verdictOf(connection(one.certificate));
    }
    const again = verdictOf(connection());
    assert.ok(again instanceof Promise);
    assert.ok('certificate' in (await again));
  });
});
