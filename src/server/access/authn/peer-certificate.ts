// Upstream: apiserver/pkg/authentication/request/x509/x509.go, Go's crypto/tls (processCertsFromClient)
import type { Certificate } from '../../../base/x509/certificate.ts';
import { readCertificate } from '../../../base/x509/certificate.ts';
import { CertificatePool } from '../../../base/x509/certificate-pool.ts';
import { MalformedError } from '../../../base/x509/der-reader.ts';
import { usages, verifyCertificate } from '../../../base/x509/verify.ts';
import type { Connection } from '../../http/connection.ts';

const maxRsaBits = 8192;
const pemCertificate = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;

/** Authorities that sign certificates of clients; throws when one of them cannot be read. */
export function readAuthorities(pem: string): CertificatePool {
  const blocks = [...pem.matchAll(pemCertificate)].map(([, base64 = '']) => readCertificate(Buffer.from(base64, 'base64')));
  if (blocks.length === 0) throw new Error('data does not contain any valid RSA or ECDSA certificates');
  return new CertificatePool(blocks);
}

/** What a client has shown on its connection. */
interface Peer {
  readonly certificate: Certificate;
  /** everything that came after it */
  readonly intermediates: CertificatePool;
}

export type Verdict = { readonly certificate: Certificate } | { readonly error: Error };

interface Known {
  readonly authorities: CertificatePool;
  /** when the verdict may change: a certificate becomes valid, or ceases to be */
  readonly until: number;
  verdict: Verdict | Promise<Verdict>;
}

/**
 * Whether the client's certificate is from one of these authorities, and for clients. Worked out once for a connection, unless the authorities
 * change or time goes by. Undefined: the client has shown none.
 */
export function peerVerifier(
  authorities: () => CertificatePool,
  now: () => number,
): (connection: Connection) => Verdict | Promise<Verdict> | undefined {
  const connections = new WeakMap<Connection, Known>();
  return (connection) => {
    if (connection.peerCertificate === undefined) return undefined;
    const [current, time] = [authorities(), now()];
    const known = connections.get(connection);
    if (known !== undefined && known.authorities === current && time < known.until) return known.verdict;
    const peer = peerOf(connection);
    if (peer instanceof Error) return { error: peer };
    const verdict = verify(peer, current, time);
    const next: Known = { authorities: current, until: nextChange(peer, current, time), verdict };
    connections.set(connection, next);
    return verdict.then((settled) => (next.verdict = settled));
  };
}

async function verify({ certificate, intermediates }: Peer, roots: CertificatePool, now: number): Promise<Verdict> {
  try {
    await verifyCertificate(certificate, { roots, intermediates, now, usage: usages.clientAuth });
    return { certificate };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

function nextChange({ certificate, intermediates }: Peer, roots: CertificatePool, now: number): number {
  let next = Infinity;
  for (const { notBefore, notAfter } of [certificate, ...intermediates.all, ...roots.all]) {
    if (notBefore > now) next = Math.min(next, notBefore);
    // It is still valid in the last millisecond.
    if (notAfter >= now) next = Math.min(next, notAfter + 1);
  }
  return next;
}

/** All verifiers share what was read. An error: where Go would not have shaken hands. */
function peerOf(connection: Connection): Peer | Error {
  const known = connection.memo.get(peerOf);
  if (known !== undefined) return known as Peer | Error;
  const peer = readPeer(connection);
  connection.memo.set(peerOf, peer);
  return peer;
}

function readPeer({ peerCertificate, intermediates }: Connection): Peer | Error {
  try {
    const [certificate, ...rest] = [peerCertificate, ...intermediates].map((one) => readCertificate(one?.raw ?? Buffer.alloc(0)));
    if (certificate === undefined || certificate.publicKey.type === 'other') {
      return new MalformedError('tls: client certificate contains an unsupported public key');
    }
    if ([certificate, ...rest].some(({ publicKey }) => publicKey.bits > maxRsaBits)) {
      return new MalformedError(`tls: client sent certificate containing RSA key larger than ${maxRsaBits} bits`);
    }
    return { certificate, intermediates: new CertificatePool(rest) };
  } catch (error) {
    if (error instanceof MalformedError) return error;
    throw error;
  }
}
