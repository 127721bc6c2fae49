import { generateKeyPairSync, sign } from 'node:crypto';
import { extension } from '../../src/base/tls/certificate.ts';
import * as der from '../../src/base/tls/der.ts';
import { ipBytes } from '../../src/base/tls/ip-bytes.ts';

export interface WantedCertificate {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dns?: readonly string[];
  readonly emails?: readonly string[];
  readonly addresses?: readonly string[];
  readonly uris?: readonly string[];
}

/** A certificate request, as the spec of a CertificateSigningRequest has it, and the new key that it is for. */
export function makeCertificateRequest(wanted: WantedCertificate): { readonly request: string; readonly key: string } {
  const { commonName, organizations = [], dns = [], emails = [], addresses = [], uris = [] } = wanted;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const attribute = (type: string, value: string): Buffer => der.setOf(der.sequence(der.objectIdentifier(type), der.utf8String(value)));
  const names = [
    ...dns.map((name) => der.taggedPrimitive(2, Buffer.from(name))),
    ...emails.map((name) => der.taggedPrimitive(1, Buffer.from(name))),
    ...addresses.map((name) => der.taggedPrimitive(7, ipBytes(name))),
    ...uris.map((name) => der.taggedPrimitive(6, Buffer.from(name))),
  ];
  const asked = der.sequence(
    der.objectIdentifier('1.2.840.113549.1.9.14'),
    der.setOf(der.sequence(extension('2.5.29.17', der.sequence(...names)))),
  );
  const info = der.sequence(
    der.unsignedInteger(Buffer.from([0])),
    der.sequence(...organizations.map((one) => attribute('2.5.4.10', one)), attribute('2.5.4.3', commonName)),
    publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(0, ...(names.length === 0 ? [] : [asked])),
  );
  const algorithm = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));
  const request = der.sequence(info, algorithm, der.bitString(sign('sha256', info, privateKey)));
  const lines = request.toString('base64').match(/.{1,64}/g) ?? [];
  const text = `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`;
  return { request: Buffer.from(text).toString('base64'), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}
