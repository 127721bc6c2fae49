// Upstream: k8s.io/kubernetes/pkg/apis/certificates/validation/validation.go#ValidateClusterTrustBundle
import { X509Certificate } from 'node:crypto';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, tooLong } from '../../../machinery/field.ts';
import { validateImmutable } from '../../../machinery/object-meta-validation.ts';
import type { ClusterTrustBundle } from '../../../schema/types/certificates-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import type { PemBlock } from '../../common/pem.ts';
import { pemBlocks } from '../../common/pem.ts';
import { clusterTrustBundleNameProblems, validateSignerName } from '../../common/signer-name.ts';

export type ClusterTrustBundleObject = ClusterTrustBundle & KubeObject;

const maxSize = 1 << 20;
const signerNamePath = FieldPath.root('spec', 'signerName');
const bundlePath = FieldPath.root('spec', 'trustBundle');

export function validate(bundle: ClusterTrustBundleObject): FieldError[] {
  return [...validateNames(bundle), ...validateTrustBundle(bundle.spec.trustBundle)];
}

/** Certificates that were good once are not asked again. */
export function validateUpdate(bundle: ClusterTrustBundleObject, old: ClusterTrustBundleObject): FieldError[] {
  const { signerName = '', trustBundle } = bundle.spec;
  return [
    ...validateNames(bundle),
    ...(trustBundle === old.spec.trustBundle ? [] : validateTrustBundle(trustBundle)),
    ...validateImmutable(signerName, old.spec.signerName ?? '', signerNamePath),
  ];
}

function validateNames({ metadata, spec: { signerName = '' } }: ClusterTrustBundleObject): FieldError[] {
  const errors = validateMetadata(metadata, false, (name, prefix) => clusterTrustBundleNameProblems(name, signerName, prefix));
  return signerName === '' ? errors : [...errors, ...validateSignerName(signerName, signerNamePath)];
}

function validateTrustBundle(pem: string): FieldError[] {
  if (Buffer.byteLength(pem) > maxSize) return [tooLong(bundlePath, maxSize)];
  const places = new Map<string, number[]>();
  const problems: string[] = [];
  for (const [index, block] of pemBlocks(pem).entries()) {
    const problem = certificateProblem(block);
    const content = block.bytes.toString('latin1');
    if (problem !== undefined) problems.push(`entry ${index} ${problem}`);
    else places.set(content, [...(places.get(content) ?? []), index]);
  }
  if (problems.length === 0) {
    if (places.size === 0) problems.push('at least one trust anchor must be provided');
    for (const indexes of places.values()) {
      if (indexes.length > 1) problems.push(`duplicate trust anchor (indices [${indexes.join(' ')}])`);
    }
  }
  return problems.map((problem) => invalid(bundlePath, '<value omitted>', problem));
}

function certificateProblem({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  try {
    return new X509Certificate(bytes).ca ? undefined : 'does not have the CA bit set';
  } catch {
    // The exact fault inside is not sent to clients.
    return 'does not parse as X.509';
  }
}
