import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAuthority, issueCertificate } from '../tls/certificate.ts';
import type { Certificate } from './certificate.ts';
import { readCertificate } from './certificate.ts';
import { CertificatePool } from './certificate-pool.ts';
import { MalformedError } from './der-reader.ts';
import { usages, verifyCertificate } from './verify.ts';

const validity = { from: new Date('2026-01-02T03:04:05Z'), to: new Date('2096-01-02T03:04:05Z') };
const now = Date.parse('2030-01-01T00:00:00Z');
const authority = createAuthority({ commonName: 'ca' }, validity);
const read = (pem: string | Buffer): Certificate => readCertificate(new X509Certificate(pem).raw);

test('a certificate says what it was made with', () => {
  const subject = { commonName: 'jürgen, "x"', organizations: ['system:masters', 'b', 'a,b'] };
  const names = ['a.example.com', '10.0.0.1', '::1'];
  const pair = issueCertificate(authority, { subject, uses: ['client', 'server'], names, validity });
  const certificate = read(pair.certificate);
  assert.equal(certificate.subject.commonName, subject.commonName);
  assert.deepEqual(certificate.subject.organizations, subject.organizations);
  assert.deepEqual([certificate.notBefore, certificate.notAfter], [validity.from.getTime(), validity.to.getTime()]);
  assert.deepEqual(certificate.usages, [usages.clientAuth, usages.serverAuth]);
  assert.deepEqual(certificate.alternativeNames?.dns, ['a.example.com']);
  assert.deepEqual(
    certificate.alternativeNames.addresses.map(({ length }) => length),
    [4, 16],
  );
  assert.deepEqual(certificate.basicConstraints, { isAuthority: false, maxPathLength: undefined });
  assert.equal(certificate.hasUnknownCritical, false);
});

test(
  'what openssl makes is read as openssl prints it, and verified as openssl verifies it',
  { skip: spawnSync('openssl', ['version']).status !== 0 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'x509-'));
    try {
      const openssl = (...args: string[]): string =>
        execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      const extensions = [
        '[ca]\nbasicConstraints=critical,CA:TRUE,pathlen:1\nkeyUsage=keyCertSign\nnameConstraints=permitted;DNS:example.com,excluded;IP:10.0.0.0/255.0.0.0',
        '[client]\nextendedKeyUsage=clientAuth\nsubjectAltName=DNS:a.example.com,email:a@b.c,URI:https://x.example.com/,IP:11.0.0.1\ncertificatePolicies=1.2.3',
      ];
      writeFileSync(join(folder, 'extensions'), extensions.join('\n'));
      for (const kind of ['rsa:2048', 'ec', 'ed25519']) {
        const key = kind === 'ec' ? ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384'] : ['-newkey', kind];
        openssl(
          'req',
          '-x509',
          ...key,
          '-nodes',
          '-subj',
          '/O=b/CN=ca',
          '-keyout',
          'ca.key',
          '-out',
          'ca.crt',
          '-config',
          'extensions',
          '-extensions',
          'ca',
          '-days',
          '9',
        );
        openssl(
          'req',
          '-new',
          ...key,
          '-nodes',
          '-subj',
          '/O=one+CN=x/O=two/CN=jane',
          '-multivalue-rdn',
          '-keyout',
          'c.key',
          '-out',
          'c.csr',
          '-config',
          'extensions',
        );
        openssl(
          'x509',
          '-req',
          '-in',
          'c.csr',
          '-CA',
          'ca.crt',
          '-CAkey',
          'ca.key',
          '-CAcreateserial',
          '-extfile',
          'extensions',
          '-extensions',
          'client',
          '-out',
          'c.crt',
        );
        const [root, leaf] = [read(readFileSync(join(folder, 'ca.crt'))), read(readFileSync(join(folder, 'c.crt')))];
        assert.deepEqual(root.basicConstraints, { isAuthority: true, maxPathLength: 1 });
        assert.deepEqual(root.nameConstraints?.permitted.dns, ['example.com']);
        assert.equal(root.nameConstraints.excluded.addresses.length, 1);
        assert.equal(leaf.subject.commonName, 'jane');
        assert.deepEqual(leaf.subject.organizations, ['one', 'two']);
        assert.deepEqual(leaf.alternativeNames?.uris, ['x.example.com']);
        assert.deepEqual(leaf.policies, ['2a03']);
        const options = {
          roots: new CertificatePool([root]),
          intermediates: new CertificatePool([]),
          now: Date.now(),
          usage: usages.clientAuth,
        };
        await verifyCertificate(leaf, options);
        await assert.rejects(verifyCertificate(leaf, { ...options, usage: usages.serverAuth }), { message: /incompatible key usage/ });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('bytes that have been changed are refused or read, and nothing else happens', async () => {
  const pair = issueCertificate(authority, { subject: { commonName: 'jane' }, uses: ['client'], names: ['a.b', '10.0.0.1'], validity });
  const { raw } = new X509Certificate(pair.certificate);
  const options = {
    roots: new CertificatePool([read(authority.certificate)]),
    intermediates: new CertificatePool([]),
    now,
    usage: usages.clientAuth,
  };
  await verifyCertificate(readCertificate(raw), options);
  for (let at = 0; at < raw.length; at++) {
    for (const change of [1, 0x80, 0xff]) {
      const bytes = Buffer.from(raw);
      bytes[at] = (bytes[at] as number) ^ change;
      await assert.rejects(async () => verifyCertificate(readCertificate(bytes), options), { message: /x509|crypto/ });
    }
    assert.throws(() => readCertificate(raw.subarray(0, at)), MalformedError);
  }
});
