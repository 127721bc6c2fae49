// Upstream: std/crypto/x509/verify.go#Verify
import type { Certificate } from './certificate.ts';
import type { CertificatePool } from './certificate-pool.ts';
import { nameConstraintFault } from './name-constraints.ts';
import { isPolicyAllowed } from './policies.ts';
import { signatureFault } from './signature.ts';

/** Why a certificate is not good for what it is used for. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

export interface VerifyOptions {
  /** where chains may end */
  readonly roots: CertificatePool;
  /** what chains may go through */
  readonly intermediates: CertificatePool;
  /** milliseconds since the epoch */
  readonly now: number;
  /** object identifier of the usage, hexadecimal */
  readonly usage: string;
}

export const usages = { serverAuth: '2b06010505070301', clientAuth: '2b06010505070302' } as const;
const anyUsage = '551d2500';
/** signatures that one verification may look at, whatever certificates it is given */
const maxSignatureChecks = 100;
const certificateSign = 1 << 5;

type Chain = readonly Certificate[];

interface Search extends VerifyOptions {
  signatureChecks: number;
}

/** Throws when no chain leads from the certificate to a root that is good for the usage. */
export async function verifyCertificate(leaf: Certificate, options: VerifyOptions): Promise<void> {
  const fault = validityFault(leaf, [], false, options.now);
  if (fault !== undefined) throw new CertificateError(fault);
  const chains = options.roots.has(leaf) ? [[leaf]] : await chainsFrom([leaf], { ...options, signatureChecks: 0 });
  const faults = chains.map((chain) => chainFault(chain, options.usage));
  if (!faults.includes(undefined)) throw new CertificateError(faults[0]);
}

function chainFault(chain: Chain, usage: string): string | undefined {
  if (!isPolicyAllowed(chain)) return 'x509: no valid chains built: candidate chains with invalid policies';
  const isUsable = chain.every(({ usages: given }) => given.length === 0 || given.includes(anyUsage) || given.includes(usage));
  if (!isUsable) return 'x509: certificate specifies an incompatible key usage';
  const fault = nameConstraintFault(chain);
  return fault && `x509: a root or intermediate certificate is not authorized to sign for this name: ${fault}`;
}

/** All chains that begin with this one. Throws when there is none. */
async function chainsFrom(chain: Chain, search: Search): Promise<Chain[]> {
  const certificate = chain.at(-1) as Certificate;
  const found: Chain[] = [];
  let hint: string | undefined;
  for (const [pool, isRoot] of [
    [search.roots, true],
    [search.intermediates, false],
  ] as const) {
    for (const issuer of pool.issuersOf(certificate)) {
      if (++search.signatureChecks > maxSignatureChecks) {
        if (found.length > 0) return found;
        throw new CertificateError('x509: signature check attempts limit reached while verifying certificate chain');
      }
      if (issuer.publicKey.key === undefined || isRepeated(issuer, chain)) continue;
      const fault = (await issuerFault(certificate, issuer)) ?? validityFault(issuer, chain, !isRoot, search.now);
      if (fault !== undefined) {
        hint ??= ` (possibly because of "${fault}" while trying to verify candidate authority certificate "${issuer.subject.commonName}")`;
        continue;
      }
      if (isRoot) {
        found.push([...chain, issuer]);
        continue;
      }
      try {
        found.push(...(await chainsFrom([...chain, issuer], search)));
      } catch (error) {
        // Others may lead further, unless the limit is reached, which they find out themselves.
        if (!(error instanceof CertificateError)) throw error;
      }
    }
  }
  if (found.length === 0) throw new CertificateError(`x509: certificate signed by unknown authority${hint ?? ''}`);
  return found;
}

async function issuerFault({ signatureAlgorithm, toBeSigned, signature }: Certificate, issuer: Certificate): Promise<string | undefined> {
  const { version, basicConstraints, keyUsage, publicKey } = issuer;
  const isAuthority = basicConstraints === undefined ? version < 3 : basicConstraints.isAuthority;
  if (!isAuthority || (keyUsage !== 0 && (keyUsage & certificateSign) === 0)) {
    return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  }
  return signatureFault(signatureAlgorithm, toBeSigned, signature, publicKey);
}

/** What is wrong with a certificate at the end of this chain, whichever authority signed it. */
function validityFault(certificate: Certificate, chain: Chain, isIntermediate: boolean, now: number): string | undefined {
  const { notBefore, notAfter, basicConstraints, hasUnknownCritical } = certificate;
  if (hasUnknownCritical) return 'x509: unhandled critical extension';
  const expired = 'x509: certificate has expired or is not yet valid: current time';
  if (now < notBefore) return `${expired} ${goTime(now)} is before ${goTime(notBefore)}`;
  if (now > notAfter) return `${expired} ${goTime(now)} is after ${goTime(notAfter)}`;
  if (isIntermediate && basicConstraints?.isAuthority !== true) {
    return 'x509: certificate is not authorized to sign other certificates';
  }
  const { maxPathLength } = basicConstraints ?? {};
  return maxPathLength !== undefined && chain.length - 1 > maxPathLength
    ? 'x509: too many intermediates for path length constraint'
    : undefined;
}

/** The same authority with the same key: authorities that sign one another must not lead in circles. */
function isRepeated(candidate: Certificate, chain: Chain): boolean {
  for (const { subjectBytes, publicKeyBytes, alternativeNameBytes } of chain) {
    if (!subjectBytes.equals(candidate.subjectBytes) || !publicKeyBytes.equals(candidate.publicKeyBytes)) continue;
    if (alternativeNameBytes === undefined || candidate.alternativeNameBytes === undefined) {
      return alternativeNameBytes === candidate.alternativeNameBytes;
    }
    if (alternativeNameBytes.equals(candidate.alternativeNameBytes)) return true;
  }
  return false;
}

function goTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
