// Upstream: k8s.io/kubernetes/pkg/controller/certificates/authority/policies.go
import * as der from '../../base/tls/der.ts';

/** Bits of KeyUsage (RFC 5280, 4.2.1.3). */
const keyUsages: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
};

/** Extended usages, in the order that they have in a certificate. */
const extendedUsages: readonly (readonly [identifier: string, ...names: string[]])[] = [
  ['2.5.29.37.0', 'any'],
  ['1.3.6.1.5.5.7.3.1', 'server auth'],
  ['1.3.6.1.5.5.7.3.2', 'client auth'],
  ['1.3.6.1.5.5.7.3.3', 'code signing'],
  ['1.3.6.1.5.5.7.3.4', 'email protection', 's/mime'],
  ['1.3.6.1.5.5.7.3.5', 'ipsec end system'],
  ['1.3.6.1.5.5.7.3.6', 'ipsec tunnel'],
  ['1.3.6.1.5.5.7.3.7', 'ipsec user'],
  ['1.3.6.1.5.5.7.3.8', 'timestamping'],
  ['1.3.6.1.5.5.7.3.9', 'ocsp signing'],
  ['1.3.6.1.4.1.311.10.3.3', 'microsoft sgc'],
  ['2.16.840.1.113730.4.1', 'netscape sgc'],
];

/** KeyUsage and ExtendedKeyUsage, each undefined when there is nothing to say. Throws on a usage that no certificate has. */
export function usageExtensions(usages: readonly string[]): { readonly key: Buffer | undefined; readonly extended: Buffer | undefined } {
  const bits = usages.flatMap((usage) => keyUsages[usage] ?? []);
  const chosen = extendedUsages.filter(([, ...names]) => names.some((name) => usages.includes(name)));
  const known = (usage: string): boolean => usage in keyUsages || extendedUsages.some(([, ...names]) => names.includes(usage));
  const unknown = usages.filter((usage) => !known(usage));
  if (unknown.length > 0) throw new Error(`unrecognized usage values: ${unknown.join(', ')}`);
  return {
    key: bits.length === 0 ? undefined : der.namedBits(bits),
    extended: chosen.length === 0 ? undefined : der.sequence(...chosen.map(([identifier]) => der.objectIdentifier(identifier))),
  };
}
