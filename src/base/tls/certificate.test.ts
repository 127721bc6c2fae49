import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, createServer } from 'node:tls';
import { createAuthority, issueCertificate } from './certificate.ts';

const day = 86_400_000;
const validity = { from: new Date(Date.now() - day), to: new Date(Date.now() + 365 * day) };
const authority = createAuthority({ commonName: 'test-ca' }, validity);

function serving(): ReturnType<typeof issueCertificate> {
  const names = ['kubernetes.default.svc', 'localhost', '127.0.0.1', '::1', 'fd00::1:2', '::ffff:10.0.0.1'];
  return issueCertificate(authority, { subject: { commonName: 'apiserver' }, uses: ['server'], names, validity });
}

test('createAuthority() makes a certificate that may sign others', () => {
  const certificate = new X509Certificate(authority.certificate);
  assert.equal(certificate.ca, true);
  assert.equal(certificate.subject, 'CN=test-ca');
  assert.ok(certificate.verify(certificate.publicKey));
  assert.ok(certificate.validFromDate < new Date() && certificate.validToDate > new Date());
});

test('issueCertificate() makes a serving certificate with its DNS names and addresses', () => {
  const pair = serving();
  const certificate = new X509Certificate(pair.certificate);
  const issuer = new X509Certificate(authority.certificate);
  assert.ok(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  assert.equal(certificate.ca, false);
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  assert.ok(certificate.checkHost('kubernetes.default.svc'));
  for (const address of ['127.0.0.1', '::1', 'fd00::1:2']) assert.equal(certificate.checkIP(address), address);
  assert.equal(certificate.checkIP('127.0.0.2'), undefined);
});

test('issueCertificate() keeps every organization and any Unicode in the subject', () => {
  const subject = { commonName: 'jürgen,=+', organizations: ['system:masters', 'b', 'a'] };
  const { certificate } = issueCertificate(authority, { subject, uses: ['client'], validity });
  assert.equal(new X509Certificate(certificate).subject, 'O=system:masters\nO=b\nO=a\nCN=jürgen\\,=\\+');
});

test('a validity beyond 2049 is written as GeneralizedTime', () => {
  const { certificate } = createAuthority(
    { commonName: 'x' },
    { from: new Date('2049-12-31T00:00:00Z'), to: new Date('2120-01-02T03:04:05Z') },
  );
  assert.equal(new X509Certificate(certificate).validToDate.toISOString(), '2120-01-02T03:04:05.000Z');
});

test('node serves TLS with the pair and a client that trusts the authority connects', async () => {
  const pair = serving();
  const server = createServer({ cert: pair.certificate, key: pair.key });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const authorized = await new Promise<boolean>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca: authority.certificate }, () => {
      resolve(socket.authorized);
      socket.destroy();
    }).on('error', reject);
  });
  server.close();
  assert.equal(authorized, true);
});

test('openssl verifies what we sign', { skip: spawnSync('openssl', ['version']).status !== 0 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  try {
    const pair = serving();
    writeFileSync(join(folder, 'ca.crt'), authority.certificate);
    writeFileSync(join(folder, 'tls.crt'), pair.certificate);
    writeFileSync(join(folder, 'tls.key'), pair.key);
    const openssl = (...args: string[]): string => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    const verified = openssl('verify', '-x509_strict', '-purpose', 'sslserver', '-verify_ip', '127.0.0.1', '-CAfile', 'ca.crt', 'tls.crt');
    assert.equal(verified, 'tls.crt: OK\n');
    assert.match(
      openssl('x509', '-in', 'tls.crt', '-noout', '-ext', 'subjectAltName'),
      /DNS:kubernetes.default.svc, DNS:localhost, IP Address:127.0.0.1/,
    );
    assert.equal(openssl('pkey', '-in', 'tls.key', '-pubout'), openssl('x509', '-in', 'tls.crt', '-noout', '-pubkey'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
