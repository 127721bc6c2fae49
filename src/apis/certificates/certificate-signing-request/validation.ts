// Upstream: k8s.io/kubernetes/pkg/apis/certificates/validation/validation.go#ValidateCertificateSigningRequestCreate
import { append } from '../../../machinery/append.ts';
import { X509Certificate } from 'node:crypto';
import { deepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, duplicate, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import type { NameRule } from '../../../machinery/names.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '../../../schema/types/certificates-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { readCertificateRequest } from '../../common/certificate-request.ts';
import { pemBlocks } from '../../common/pem.ts';
import { validateSignerName } from '../../common/signer-name.ts';

export type SigningRequestObject = CertificateSigningRequest & KubeObject;

const specPath = FieldPath.root('spec');
const usagesPath = specPath.child('usages');
const conditionsPath = FieldPath.root('status', 'conditions');
const certificatePath = FieldPath.root('status', 'certificate');
const legacySigner = 'kubernetes.io/legacy-unknown';
const shortestSeconds = 600;
const usages: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const decisions = ['Approved', 'Denied'] as const;
const lasting = [...decisions, 'Failed'] as const;

/** Any name is valid for a request. */
export const anyName: NameRule = () => [];

/** Go's words, by type of key, for a request that was not signed with its own key. */
const unsigned: Readonly<Record<string, string>> = {
  rsa: 'crypto/rsa: verification error',
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
};

const unknownAlgorithm = 'x509: cannot verify signature: algorithm unimplemented';

function requestFault(text: string): string | undefined {
  const [block] = pemBlocks(text);
  if (block?.type !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  const request = readCertificateRequest(block.bytes);
  if (request === undefined) return `asn1: syntax error: ${syntaxFault(block.bytes)}`;
  return request.isSigned ? undefined : (unsigned[request.publicKey?.asymmetricKeyType ?? ''] ?? unknownAlgorithm);
}

/** What Go finds first when the bytes are not one whole sequence; deeper faults are not distinguished. */
function syntaxFault(bytes: Buffer): string {
  const [, first = 0] = bytes;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const stated = lengthBytes === 0 ? first : Number.parseInt(bytes.toString('hex', 2, 2 + lengthBytes), 16);
  const whole = 2 + lengthBytes + stated;
  if (bytes.length === 0 || whole === bytes.length) return 'sequence truncated';
  return whole > bytes.length ? 'data truncated' : 'trailing data';
}

export function validate({ spec }: SigningRequestObject): FieldError[] {
  const errors: FieldError[] = [];
  const fault = requestFault(decoded(spec.request ?? ''));
  if (fault !== undefined) errors.push(invalid(specPath.child('request'), spec.request, fault));
  append(errors, validateUsages(spec.usages ?? []));
  const signerPath = specPath.child('signerName');
  if (spec.signerName === legacySigner) {
    errors.push(invalid(signerPath, spec.signerName, 'the legacy signerName is not allowed via this API version'));
  } else {
    append(errors, validateSignerName(spec.signerName, signerPath));
  }
  if (spec.expirationSeconds !== undefined && spec.expirationSeconds < shortestSeconds) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(invalid(specPath.child('expirationSeconds'), spec.expirationSeconds, detail));
  }
  return errors;
}

export function validateUpdate(request: SigningRequestObject, old: SigningRequestObject): FieldError[] {
  return validateMetadata(request.metadata, false, anyName).concat(validateRemoval(request, old));
}

export function validateApproval(request: SigningRequestObject, old: SigningRequestObject): FieldError[] {
  return [...validateConditions(request, old), ...validateRemoval(request, old)];
}

export function validateStatus(request: SigningRequestObject, old: SigningRequestObject): FieldError[] {
  const { certificate = '' } = request.status;
  const issued = old.status.certificate ?? '';
  const changed = certificate !== issued;
  // What was wrong before may stay so.
  const problems = changed && certificateProblems(issued).length === 0 ? certificateProblems(certificate) : [];
  return [
    ...validateConditions(request, old),
    ...problems.map((problem) => invalid(certificatePath, '<certificate data>', problem)),
    ...validateRemoval(request, old),
    ...validateDecisions(request, old),
    ...(changed && issued !== '' ? [forbidden(certificatePath, 'updates may not modify existing certificate content')] : []),
  ];
}

function validateUsages(asked: readonly string[]): FieldError[] {
  if (asked.length === 0) return [required(usagesPath, '')];
  const unknown = [...asked.entries()].filter(([, usage]) => !usages.includes(usage));
  const repeats = repeatsIn(asked);
  const repeated = [...asked.entries()].filter(([index]) => repeats.has(index));
  return [
    ...unknown.map(([index, usage]) => notSupported(usagesPath.index(index), typedValue(usage), usages)),
    ...repeated.map(([index, usage]) => duplicate(usagesPath.index(index), typedValue(usage))),
  ];
}

/** What was wrong before may stay so. */
function validateConditions({ status }: SigningRequestObject, old: SigningRequestObject): FieldError[] {
  const conditions = status.conditions ?? [];
  if (deepEqual(conditions, old.status.conditions ?? [])) return [];
  const seen = new Set<string>();
  return conditions.flatMap(({ type, status: value }, index) => {
    const path = conditionsPath.index(index);
    const errors = type === '' ? [required(path.child('type'), '')] : [];
    const allowed = (lasting as readonly string[]).includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    if (value === '') errors.push(required(path.child('status'), ''));
    else if (!allowed.includes(value)) errors.push(notSupported(path.child('status'), typedValue(value), allowed));
    if ((type === 'Approved' && seen.has('Denied')) || (type === 'Denied' && seen.has('Approved'))) {
      errors.push(invalid(conditionsPath, typedValue(type), 'Approved and Denied conditions are mutually exclusive'));
    }
    if (seen.has(type)) errors.push(duplicate(path.child('type'), typedValue(type)));
    seen.add(type);
    return errors;
  });
}

function validateRemoval(request: SigningRequestObject, old: SigningRequestObject): FieldError[] {
  return lasting
    .filter((type) => ofType(request, type).length < ofType(old, type).length)
    .map((type) => forbidden(conditionsPath, `updates may not remove a condition of type ${goQuote(type)}`));
}

/** Only through the approval subresource, which needs a permission of its own. */
function validateDecisions(request: SigningRequestObject, old: SigningRequestObject): FieldError[] {
  return decisions
    .filter((type) => ofType(request, type).length > ofType(old, type).length)
    .map((type) => forbidden(conditionsPath, `updates may not add a condition of type ${goQuote(type)}`));
}

function ofType({ status }: SigningRequestObject, wanted: string): CertificateSigningRequestCondition[] {
  return (status.conditions ?? []).filter(({ type }) => type === wanted);
}

function certificateProblems(data: string): string[] {
  if (data === '') return [];
  const blocks = pemBlocks(decoded(data));
  if (blocks.length === 0) return ['must contain at least one CERTIFICATE PEM block'];
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return [`only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`];
    if (hasHeaders) return ['no PEM block headers are permitted'];
    try {
      new X509Certificate(bytes);
    } catch {
      // Whatever is wrong inside, clients of upstream mostly hear this.
      return ['x509: malformed certificate'];
    }
  }
  return [];
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}
