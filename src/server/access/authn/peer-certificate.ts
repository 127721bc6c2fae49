// Upstream: k8s.io/apiserver/pkg/authentication/request/x509/x509.go, std/crypto/tls#processCertsFromClient
import { setImmediate } from 'node:timers/promises';
import type { Certificate } from '../../../base/x509/certificate.ts';
import { readCertificate } from '../../../base/x509/certificate.ts';
import { CertificatePool } from '../../../base/x509/certificate-pool.ts';
import { MalformedError } from '../../../base/x509/der-reader.ts';
import { usages, verifyCertificate } from '../../../base/x509/verify.ts';
import type { Connection } from '../../http/connection.ts';

const maxRsaBits = 8192;
const readAtOnce = 20;
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

/** Of the chains that were last found to be good: a client that comes again is known by the bytes of all that it shows. */
const maxKnownChains = 256;
const maxKnownChainBytes = 16 << 10;

interface Known {
  readonly authorities: CertificatePool;
  /** when the verdict may change: a certificate becomes valid, or ceases to be */
  until: number;
  verdict: Verdict | Promise<Verdict>;
}

/**
 * Whether the client's certificate is from one of these authorities, and for clients. Worked out once for a connection, and once for all
 * connections that show the same good chain, unless the authorities change or time goes by. Undefined: the client has shown none.
 */
export function peerVerifier(
  authorities: () => CertificatePool,
  now: () => number,
): (connection: Connection) => Verdict | Promise<Verdict> | undefined {
  const connections = new WeakMap<Connection, Known>();
  const chains = new Map<string, Known>();
  return (connection) => {
    if (connection.peerCertificate === undefined) return undefined;
    const [current, time] = [authorities(), now()];
    const known = connections.get(connection);
    if (known !== undefined && known.authorities === current && time < known.until) return known.verdict;
    const chain = chainOf(connection);
    const shown = chain === undefined ? undefined : chains.get(chain);
    if (shown !== undefined && shown.authorities === current && time < shown.until) {
      connections.set(connection, shown);
      return shown.verdict;
    }
    const next: Known = { authorities: current, until: Infinity, verdict: { error: new Error('not verified yet') } };
    const verdict = verify(connection, next, time);
    next.verdict = verdict;
    connections.set(connection, next);
    if (chain === undefined) return verdict;
    return verdict.then((found) => {
      if ('certificate' in found) remember(chains, chain, next);
      return found;
    });
  };
}

/** All that the client has shown, in its order; undefined where that is too much to remember. */
function chainOf({ peerCertificate, intermediates }: Connection): string | undefined {
  let chain = '';
  for (const one of [peerCertificate, ...intermediates]) {
    if (one === undefined) continue;
    const { raw } = one;
    chain += `${raw.length}:${raw.toString('latin1')}`;
    if (chain.length > maxKnownChainBytes) return undefined;
  }
  return chain;
}

function remember(chains: Map<string, Known>, chain: string, known: Known): void {
  chains.delete(chain);
  chains.set(chain, known);
  for (const oldest of chains.keys()) {
    if (chains.size <= maxKnownChains) return;
    chains.delete(oldest);
  }
}

async function verify(connection: Connection, known: Known, now: number): Promise<Verdict> {
  const roots = known.authorities;
  let verdict: Verdict;
  try {
    const { certificate, intermediates } = await peerOf(connection);
    known.until = nextChange([certificate, ...intermediates.all, ...roots.all], now);
    await verifyCertificate(certificate, { roots, intermediates, now, usage: usages.clientAuth });
    verdict = { certificate };
  } catch (error) {
    verdict = { error: error instanceof Error ? error : new Error(String(error)) };
  }
  known.verdict = verdict;
  return verdict;
}

function nextChange(certificates: readonly Certificate[], now: number): number {
  let next = Infinity;
  for (const { notBefore, notAfter } of certificates) {
    if (notBefore > now) next = Math.min(next, notBefore);
    // It is still valid in the last millisecond.
    if (notAfter >= now) next = Math.min(next, notAfter + 1);
  }
  return next;
}

/** All verifiers share what was read. Rejects where Go would not have shaken hands. */
function peerOf(connection: Connection): Promise<Peer> {
  const known = connection.memo.get(peerOf);
  if (known !== undefined) return known as Promise<Peer>;
  const peer = readPeer(connection);
  connection.memo.set(peerOf, peer);
  return peer;
}

async function readPeer({ peerCertificate, intermediates }: Connection): Promise<Peer> {
  const read: Certificate[] = [];
  for (const one of [peerCertificate, ...intermediates]) {
    if (one !== undefined) read.push(readCertificate(one.raw));
    // Some hundred certificates fit into a handshake, and each has a key to be checked.
    if (read.length % readAtOnce === 0) await setImmediate();
  }
  const [certificate, ...rest] = read;
  if (certificate === undefined || certificate.publicKey.type === 'other') {
    throw new MalformedError('tls: client certificate contains an unsupported public key');
  }
  if (read.some(({ publicKey }) => publicKey.bits > maxRsaBits)) {
    throw new MalformedError(`tls: client sent certificate containing RSA key larger than ${maxRsaBits} bits`);
  }
  return { certificate, intermediates: new CertificatePool(rest) };
}
