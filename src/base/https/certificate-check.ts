// Upstream: std/crypto/x509/verify.go, std/crypto/tls/handshake_client.go
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { TLSSocket } from 'node:tls';

const expired = 'certificate has expired or is not yet valid';
const unknownAuthority = 'certificate signed by unknown authority';

export interface Expectation {
  /** DNS name or IP address that the certificate must be for */
  readonly serverName: string;
  /** PEM of those whose signature counts; undefined: those that the system trusts */
  readonly authorities: string | undefined;
  readonly now: Date;
}

/** Why a connected server is not to be trusted, in the words that operators of upstream know; undefined when it is. */
export function distrust(socket: TLSSocket, { serverName, authorities, now }: Expectation): string | undefined {
  const certificate = socket.getPeerX509Certificate();
  const reason =
    certificate === undefined ? unknownAuthority : (fault(certificate, serverName, now) ?? chainFault(socket, certificate, authorities));
  return reason && `tls: failed to verify certificate: x509: ${reason}`;
}

function fault(certificate: X509Certificate, serverName: string, now: Date): string | undefined {
  const current = goTime(now);
  if (now < certificate.validFromDate) return `${expired}: current time ${current} is before ${goTime(certificate.validFromDate)}`;
  if (now > certificate.validToDate) return `${expired}: current time ${current} is after ${goTime(certificate.validToDate)}`;
  return nameFault(certificate, serverName);
}

function nameFault(certificate: X509Certificate, serverName: string): string | undefined {
  const names = alternativeNames(certificate);
  const [dns, ips] = [names.filter(({ kind }) => kind === 'DNS'), names.filter(({ kind }) => kind === 'IP Address')];
  if (isIP(serverName) !== 0) {
    if (ips.length === 0) return `cannot validate certificate for ${serverName} because it doesn't contain any IP SANs`;
    return certificate.checkIP(serverName) === undefined ? validFor(ips, serverName) : undefined;
  }
  // What the common name says does not count, though it did once.
  if (names.length === 0) return 'certificate relies on legacy Common Name field, use SANs instead';
  if (checkServerIdentity(serverName, certificate.toLegacyObject()) === undefined) return undefined;
  return dns.length === 0 ? `certificate is not valid for any names, but wanted to match ${serverName}` : validFor(dns, serverName);
}

function validFor(names: readonly AlternativeName[], wanted: string): string {
  return `certificate is valid for ${names.map(({ name }) => name).join(', ')}, not ${wanted}`;
}

interface AlternativeName {
  readonly kind: string;
  readonly name: string;
}

function alternativeNames({ subjectAltName }: X509Certificate): AlternativeName[] {
  return (subjectAltName ?? '').split(', ').flatMap((part) => {
    const colon = part.indexOf(':');
    return colon < 0 ? [] : [{ kind: part.slice(0, colon), name: part.slice(colon + 1) }];
  });
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function chainFault(socket: TLSSocket, certificate: X509Certificate, authorities: string | undefined): string | undefined {
  if (socket.authorized) return undefined;
  const candidates = (authorities?.match(pemCertificate) ?? []).map((pem) => new X509Certificate(pem));
  const candidate = candidates.find(({ subject }) => subject === certificate.issuer);
  if (candidate === undefined || certificate.verify(candidate.publicKey)) return unknownAuthority;
  const failure =
    verificationFailures[candidate.publicKey.asymmetricKeyType ?? ''] ?? 'x509: cannot verify signature: algorithm unimplemented';
  return `${unknownAuthority} (possibly because of ${JSON.stringify(failure)} while trying to verify candidate authority certificate ${JSON.stringify(commonName(candidate))})`;
}

const verificationFailures: Readonly<Record<string, string>> = {
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
  rsa: 'crypto/rsa: verification error',
};

function commonName({ subject, serialNumber }: X509Certificate): string {
  const stated = /^CN=(.*)$/m.exec(subject) ?? /^O=(.*)$/m.exec(subject);
  return stated?.[1] ?? `serial:${BigInt(`0x${serialNumber}`)}`;
}

function goTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
