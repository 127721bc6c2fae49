import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { createAuthority, issueCertificate } from '../../../base/tls/certificate.ts';
import * as der from '../../../base/tls/der.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { validateStatus } from './issuance.ts';
import { validate } from './validation.ts';
import type { PodCertificateRequestObject } from './validation.ts';

const context = testContext({ now: '2026-01-02T03:04:05Z' });
const from = new Date('2026-01-02T03:04:05Z');
const later = (minutes: number): string => new Date(from.getTime() + minutes * 60_000).toISOString().replace('.000Z', 'Z');
const authority = createAuthority({ commonName: 'ca' }, { from, to: new Date(later(10_000)) });
const issued = issue(120, 'pod.example.com');

function issue(minutes: number, ...names: readonly string[]): { certificate: string; key: string } {
  const validity = { from, to: new Date(later(minutes)) };
  return issueCertificate(authority, { subject: { commonName: 'pod' }, uses: ['client'], names, validity });
}

function certificationRequest(privateKey: KeyObject, hash: string | null, algorithm: string): string {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const info = der.sequence(der.unsignedInteger(Buffer.from([0])), der.sequence(), spki, der.tagged(0));
  const signature = der.bitString(sign(hash, info, privateKey));
  return der.sequence(info, der.sequence(der.objectIdentifier(algorithm)), signature).toString('base64');
}

function request(changes: object = {}, status: object = {}): PodCertificateRequestObject {
  return {
    metadata: { name: 'r', namespace: 'default' },
    spec: {
      signerName: 'example.com/signer',
      podName: 'p',
      podUID: 'u',
      serviceAccountName: 'sa',
      serviceAccountUID: 'u',
      nodeName: 'n',
      nodeUID: 'u',
      maxExpirationSeconds: 7200,
      pkixPublicKey: null,
      proofOfPossession: null,
      stubPKCS10Request: certificationRequest(createPrivateKey(issued.key), 'sha256', '1.2.840.10045.4.3.2'),
      ...changes,
    },
    status,
  } as PodCertificateRequestObject;
}

const textOf = (errors: readonly unknown[]): string => errors.map(String).join('; ');

const keys = {
  'an Ed25519 key': [certificationRequest(generateKeyPairSync('ed25519').privateKey, null, '1.3.101.112'), ''],
  'a P-521 key': [certificationRequest(generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey, 'sha512', '1.2.840.10045.4.3.4'), ''],
  'a P-224 key': [
    certificationRequest(generateKeyPairSync('ec', { namedCurve: 'P-224' }).privateKey, 'sha256', '1.2.840.10045.4.3.2'),
    'spec.stubPKCS10Request: Invalid value: "curve P-224": elliptic public keys must use curve P256, P384, or P521',
  ],
  'a short RSA key': [
    certificationRequest(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'sha256', '1.2.840.113549.1.1.11'),
    'spec.stubPKCS10Request: Invalid value: "2048-bit modulus": RSA keys must have modulus size 3072 or 4096',
  ],
  'a key of another kind': [
    certificationRequest(generateKeyPairSync('ed448').privateKey, null, '1.3.101.113'),
    'spec.stubPKCS10Request: Invalid value: unknown public key type; supported types are Ed25519, ECDSA, and RSA',
  ],
  'a signature that says to be made otherwise': [
    certificationRequest(createPrivateKey(issued.key), 'sha256', '1.2.840.10045.4.3.3'),
    'spec.stubPKCS10Request: Invalid value: invalid signature',
  ],
  'bytes that are no request': ['AAAA', 'spec.stubPKCS10Request: Invalid value: must be a valid PKCS#10 CSR'],
} as const;

for (const [what, [stubPKCS10Request, expected]] of Object.entries(keys)) {
  test(`validate() judges ${what}`, () => assert.equal(textOf(validate(request({ stubPKCS10Request }))), expected));
}

test('validate() takes a key with a proof in place of a request, and not both', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pkixPublicKey = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const proofOfPossession = sign(null, Buffer.from('u'), privateKey).toString('base64');
  const proven = { pkixPublicKey, proofOfPossession, stubPKCS10Request: null };
  assert.equal(textOf(validate(request(proven))), '');
  const stolen = 'spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature';
  assert.equal(textOf(validate(request({ ...proven, podUID: 'other' }))), stolen);
  const both = 'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
  assert.equal(textOf(validate(request({ pkixPublicKey, proofOfPossession }))), both);
});

test('validate() allows certificates of Kubernetes signers a day', () => {
  const change = { signerName: 'kubernetes.io/kube-apiserver-client-pod', maxExpirationSeconds: 86_401 };
  assert.equal(textOf(validate(request(change))), 'spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]');
  assert.equal(textOf(validate(request({ maxExpirationSeconds: 86_401 }))), '');
});

const condition = (type: string): object => ({
  conditions: [{ type, status: 'True', reason: 'Because', message: '', lastTransitionTime: later(0) }],
});
const good = {
  ...condition('Issued'),
  certificateChain: issued.certificate,
  notBefore: later(0),
  notAfter: later(120),
  beginRefreshAt: later(60),
};
const chain = (certificate: string, minutes = 120): object => ({ ...good, certificateChain: certificate, notAfter: later(minutes) });

const statuses = [
  ['a certificate as it was asked for', good, ''],
  ['a denial', condition('Denied'), ''],
  [
    'a denial with a certificate',
    { ...good, ...condition('Denied') },
    'status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest',
  ],
  [
    'a certificate without a word about it',
    { certificateChain: issued.certificate },
    'status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"',
  ],
  [
    'times that are missing',
    { ...condition('Issued'), certificateChain: issued.certificate },
    'status.notBefore: Required value: must be present and consistent with the issued certificate; status.notAfter: Required value: must be present and consistent with the issued certificate; status.beginRefreshAt: Required value: must be present and in the range [notbefore+10min, notafter-10min]',
  ],
  [
    'a time that is not that of the certificate',
    { ...good, notAfter: later(121) },
    `status.notAfter: Invalid value: "${later(121)}": must be set to the NotAfter time encoded in the leaf certificate`,
  ],
  [
    'a refresh too near to the end',
    { ...good, beginRefreshAt: later(111) },
    `status.beginRefreshAt: Invalid value: "${later(111)}": must be at least 10 minutes before status.notAfter`,
  ],
] as const;

for (const [what, status, expected] of statuses) {
  test(`validateStatus() judges ${what}`, () => {
    assert.equal(textOf(validateStatus(request({}, status), request(), context)), expected);
  });
}

test('validateStatus() refuses the certificate of another key', () => {
  const other = issue(120).certificate;
  const errors = validateStatus(request({}, chain(other)), request(), context);
  assert.match(textOf(errors), /: leaf certificate was not issued to the requested public key$/);
});

test('validateStatus() refuses names that no host has', () => {
  const odd = issue(120, '.example.com', 'a..b');
  const asked = { stubPKCS10Request: certificationRequest(createPrivateKey(odd.key), 'sha256', '1.2.840.10045.4.3.2') };
  assert.equal(
    textOf(validateStatus(request(asked, chain(odd.certificate)), request(asked), context)),
    "status.certificateChain: Invalid value: \".example.com\": leaf certificate's DNSName should not start or end with '.'; " +
      "status.certificateChain: Invalid value: \"a..b\": leaf certificate's DNSName should not contain '..'",
  );
});

test('validateStatus() refuses a lifetime longer than asked for, in nanoseconds', () => {
  const long = issue(180);
  const asked = { stubPKCS10Request: certificationRequest(createPrivateKey(long.key), 'sha256', '1.2.840.10045.4.3.2') };
  assert.equal(
    textOf(validateStatus(request(asked, chain(long.certificate, 180)), request(asked), context)),
    'status.certificateChain: Invalid value: 10800000000000: leaf certificate lifetime must be <= spec.maxExpirationSeconds (7200)',
  );
});

test('validateStatus() lets nothing change after the end', () => {
  const errors = validateStatus(request({}, good), request({}, condition('Failed')), context);
  assert.equal(textOf(errors), 'status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed');
});
