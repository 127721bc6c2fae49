// Upstream: k8s.io/kubernetes/pkg/controller/certificates/authority/{authority,policies}.go, std/crypto/x509#CreateCertificate, std/crypto/x509/pkix#Name.ToRDNSequence
import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { CertificateRequest } from '../../apis/common/certificate-request.ts';
import { pemBlocks } from '../../apis/common/pem.ts';
import type { KeyPair } from '../../base/tls/certificate.ts';
import { extension, signCertificate } from '../../base/tls/certificate.ts';
import * as der from '../../base/tls/der.ts';
import type { Certificate } from '../../base/x509/certificate.ts';
import { readCertificate } from '../../base/x509/certificate.ts';
import { DerReader } from '../../base/x509/der-reader.ts';
import type { NameAttribute } from '../../base/x509/directory-name.ts';
import { usageExtensions } from './usages.ts';

const minuteMs = 60_000;
/** clocks of those who use it may be behind */
const backdateMs = 5 * minuteMs;
/** a certificate that is valid for less ends when it was asked to end */
const shortMs = 8 * 60 * minuteMs;

export interface SigningAuthority {
  readonly certificate: Certificate;
  readonly key: KeyObject;
}

/** Throws when it is not a certificate and its key. */
export function signingAuthority({ certificate, key }: KeyPair): SigningAuthority {
  const block = pemBlocks(certificate).find(({ type }) => type === 'CERTIFICATE');
  if (block === undefined) throw new Error('there is no certificate of a signing authority');
  return { certificate: readCertificate(block.bytes), key: createPrivateKey(key) };
}

/** PEM of a certificate for what is asked, valid from now on for `validMs`, and no longer than its authority. */
export function signRequest(
  { certificate: issuer, key }: SigningAuthority,
  asked: CertificateRequest,
  { usages, validMs, now }: { readonly usages: readonly string[]; readonly validMs: number; readonly now: number },
): string {
  if (!asked.isSigned) throw new Error('the certificate request is not signed with its key');
  const from = now - backdateMs;
  const to = Math.min(validMs < shortMs ? now + validMs : from + validMs, issuer.notAfter);
  if (now >= issuer.notAfter) throw new Error(`the signer has expired: NotAfter=${new Date(issuer.notAfter).toISOString()}`);
  const { key: keyUsage, extended } = usageExtensions(usages);
  const subject = subjectOf(asked.attributes);
  const names = alternativeNames(asked.nameBytes);
  const isNameless = subject.length === emptySubject.length;
  const extensions = [
    keyUsage && extension('2.5.29.15', keyUsage, 'critical'),
    extended && extension('2.5.29.37', extended),
    extension('2.5.29.19', der.sequence(), 'critical'),
    issuer.subjectKeyId && extension('2.5.29.35', der.sequence(der.taggedPrimitive(0, issuer.subjectKeyId))),
    names && extension('2.5.29.17', names, isNameless ? 'critical' : undefined),
  ].filter((one) => one !== undefined);
  const validity = { from: new Date(from), to: new Date(to) };
  return signCertificate({ subject, issuer: issuer.subjectBytes, validity, publicKey: asked.publicKeyBytes, extensions }, key);
}

const emptySubject = der.sequence();

/** What is kept of a subject, by the last byte of its identifier below 2.5.4, in the order in which it is written. */
const severalOf: readonly number[] = [6, 10, 11, 7, 8, 9, 17];
const lastOf: readonly number[] = [3, 5];

function subjectOf(attributes: readonly NameAttribute[]): Buffer {
  const valuesOf = (number: number): string[] =>
    attributes.filter(({ type }) => type === `5504${number.toString(16).padStart(2, '0')}`).map(({ value }) => value);
  const set = (number: number, values: readonly string[]): Buffer =>
    der.setOf(...values.map((value) => der.sequence(der.objectIdentifier(`2.5.4.${number}`), text(value))));
  return der.sequence(
    ...severalOf.flatMap((number) => (valuesOf(number).length === 0 ? [] : [set(number, valuesOf(number))])),
    ...lastOf.flatMap((number) => ((valuesOf(number).at(-1) ?? '') === '' ? [] : [set(number, valuesOf(number).slice(-1))])),
  );
}

function text(value: string): Buffer {
  return /^[A-Za-z0-9'()+,\-./ :=?]*$/.test(value) ? der.printableString(value) : der.utf8String(value);
}

/** Tags of DNS names, mail addresses, IP addresses and URIs, in the order in which they are written; others are left out. */
const nameTags: readonly number[] = [0x82, 0x81, 0x87, 0x86];

function alternativeNames(asked: Buffer | undefined): Buffer | undefined {
  if (asked === undefined) return undefined;
  const elements: { readonly tag: number; readonly whole: Buffer }[] = [];
  for (const list = new DerReader(asked, 'x509: invalid subject alternative names').sequence(); !list.isEmpty;) elements.push(list.any());
  const kept = nameTags.flatMap((tag) => elements.filter((element) => element.tag === tag).map(({ whole }) => whole));
  return kept.length === 0 ? undefined : der.sequence(...kept);
}
