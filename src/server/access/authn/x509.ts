// Upstream: apiserver/pkg/authentication/request/x509/x509.go
import { X509Certificate } from 'node:crypto';
import type { Connection } from '../../http/connection.ts';
import type { Authenticator } from './authenticator.ts';
import type { UserInfo } from '../../request/user.ts';
import { credentialIdKey } from '../../request/user.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyUsage = '2.5.29.37.0';

/** Certificates that chains may end at. */
export class CertificatePool {
  readonly #roots: readonly X509Certificate[];

  constructor(pem: string) {
    this.#roots = splitPem(pem).map((block) => new X509Certificate(block));
  }

  /** Throws with the original's text when the certificate is not good for client authentication. */
  verify(leaf: X509Certificate, intermediates: readonly X509Certificate[], now: number): void {
    checkValidity(leaf, now);
    const usages = leaf.keyUsage as readonly string[] | undefined;
    if (usages !== undefined && !usages.includes(clientAuth) && !usages.includes(anyUsage)) {
      throw new Error('x509: certificate specifies an incompatible key usage');
    }
    if (!this.#reaches(leaf, intermediates, now, 0)) throw new Error('x509: certificate signed by unknown authority');
  }

  #reaches(certificate: X509Certificate, intermediates: readonly X509Certificate[], now: number, depth: number): boolean {
    const signed = (by: X509Certificate): boolean => certificate.checkIssued(by) && certificate.verify(by.publicKey);
    if (this.#roots.some((root) => root.raw.equals(certificate.raw) || (signed(root) && isValid(root, now)))) return true;
    if (depth >= 8) return false;
    return intermediates.some(
      (next) =>
        next.ca &&
        isValid(next, now) &&
        !next.raw.equals(certificate.raw) &&
        signed(next) &&
        this.#reaches(next, intermediates, now, depth + 1),
    );
  }
}

/** The user that a client certificate names: its CN, with a group per O. Worked out once per connection. */
export function x509Authenticator(pool: () => CertificatePool, now: () => number): Authenticator {
  const users = new WeakMap<Connection, { pool: CertificatePool; user: UserInfo | undefined; expires: number; error?: unknown }>();
  return ({ source: { connection } }) => {
    const current = pool();
    let known = users.get(connection);
    if (known === undefined || known.pool !== current || now() > known.expires) {
      known = { pool: current, ...identify(connection, current, now()) };
      users.set(connection, known);
    }
    if (known.error !== undefined) throw known.error;
    return known.user;
  };
}

function identify(
  connection: Connection,
  pool: CertificatePool,
  now: number,
): { user: UserInfo | undefined; expires: number; error?: unknown } {
  const leaf = connection.peerCertificate;
  if (leaf === undefined) return { user: undefined, expires: Infinity };
  try {
    pool.verify(leaf, connection.intermediates, now);
  } catch (error) {
    return { user: undefined, expires: Infinity, error };
  }
  const { CN, O } = subjectOf(leaf);
  if (CN === '') return { user: undefined, expires: Infinity };
  const credentialId = `X509SHA256=${leaf.fingerprint256.replaceAll(':', '').toLowerCase()}`;
  return {
    user: {
      name: CN,
      uid: '',
      groups: O,
      extra: { [credentialIdKey]: [credentialId] },
    },
    expires: leaf.validToDate.getTime(),
  };
}

/** Common name and organizations of a subject; node writes one `KEY=value` per line, escaping as RFC 2253. */
export function subjectOf(certificate: X509Certificate): { CN: string; O: string[] } {
  let CN = '';
  const O: string[] = [];
  for (const line of certificate.subject?.split('\n') ?? []) {
    for (const part of line.split(/(?<!\\)\+(?=[A-Z]+=)/)) {
      if (part.startsWith('CN=')) CN = unescape2253(part.slice(3));
      else if (part.startsWith('O=')) O.push(unescape2253(part.slice(2)));
    }
  }
  return { CN, O };
}

function unescape2253(text: string): string {
  return text.replace(/\\([0-9A-Fa-f]{2})|\\(.)/g, (_, hex: string | undefined, char: string) =>
    hex === undefined ? char : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function isValid(certificate: X509Certificate, now: number): boolean {
  return now >= certificate.validFromDate.getTime() && now <= certificate.validToDate.getTime();
}

function checkValidity(certificate: X509Certificate, now: number): void {
  if (isValid(certificate, now)) return;
  const time = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;
  const current = `current time ${time(new Date(now))}`;
  throw new Error(
    now < certificate.validFromDate.getTime()
      ? `x509: certificate has expired or is not yet valid: ${current} is before ${time(certificate.validFromDate)}`
      : `x509: certificate has expired or is not yet valid: ${current} is after ${time(certificate.validToDate)}`,
  );
}

export function splitPem(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
