// Upstream: k8s.io/kubernetes/pkg/apis/certificates/validation/validation.go#ValidatePodCertificateRequestStatusUpdate
import { append } from '../../../machinery/append.ts';
import { X509Certificate } from 'node:crypto';
import { validateConditions } from '../../../machinery/conditions.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, notSupported, omitValue, required, tooLong, typedValue } from '../../../machinery/field.ts';
import type { PodCertificateRequestStatus } from '../../../schema/types/certificates-v1beta1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import { pemBlocks } from '../../common/pem.ts';
import { readCertificateRequest, readPublicKey } from '../../common/certificate-request.ts';
import type { PodCertificateRequestObject } from './validation.ts';
import { decisions } from './validation.ts';

const statusPath = FieldPath.root('status');
const conditionsPath = statusPath.child('conditions');
const chainPath = statusPath.child('certificateChain');
const timePaths = {
  notBefore: statusPath.child('notBefore'),
  notAfter: statusPath.child('notAfter'),
  beginRefreshAt: statusPath.child('beginRefreshAt'),
};

const maxChainBytes = 100 * 1024;
const minute = 60_000;
const emailAddress = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/;
/** Node writes the names one after another, those with odd characters as JSON strings. */
const alternativeName = /(?:^|, )(DNS|email):("(?:[^"\\]|\\.)*"|[^,]*)/g;

/** A status says once how the request ended; before and after that nothing of it changes. */
export function validateStatus(
  request: PodCertificateRequestObject,
  old: PodCertificateRequestObject,
  { now }: WriteContext,
): FieldError[] {
  const { status } = request;
  const errors = [
    ...validateDecisions(status),
    ...validateConditions(status.conditions as Parameters<typeof validateConditions>[0], conditionsPath),
  ];
  if (errors.length > 0) return errors;
  if (decisionOf(old.status) !== undefined) {
    return validateSame(status, old.status, 'immutable after PodCertificateRequest is issued, denied, or failed');
  }
  switch (decisionOf(status)) {
    case 'Denied':
    case 'Failed': {
      const { conditions = [] } = status;
      return validateSame(
        status,
        { conditions },
        'non-condition status fields must be empty when denying or failing the PodCertificateRequest',
      );
    }
    case 'Issued':
      return validateIssued(request, old, Date.parse(now));
    default:
      return validateSame(status, old.status, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
  }
}

/** The index stands in the path as a name of its own, as in upstream. */
function validateDecisions({ conditions = [] }: PodCertificateRequestStatus): FieldError[] {
  let known = 0;
  return conditions.flatMap(({ type, status }, index) => {
    const path = conditionsPath.child(`[${index}]`);
    if (!decisions.includes(type)) return [notSupported(path.child('type'), type, decisions)];
    const errors: FieldError[] = [];
    if (++known > 1) {
      errors.push(invalid(path.child('type'), type, 'There may be at most one condition with type "Issued", "Denied", or "Failed"'));
    }
    if (status !== 'True') errors.push(notSupported(path.child('status'), typedValue(status), ['True']));
    return errors;
  });
}

function decisionOf({ conditions = [] }: PodCertificateRequestStatus): string | undefined {
  return conditions.find(({ type, status }) => decisions.includes(type) && status === 'True')?.type;
}

function validateSame(status: PodCertificateRequestStatus, expected: PodCertificateRequestStatus, detail: string): FieldError[] {
  return semanticDeepEqual(status, expected) ? [] : [invalid(statusPath, omitValue, detail)];
}

function validateIssued({ spec, status }: PodCertificateRequestObject, old: PodCertificateRequestObject, now: number): FieldError[] {
  const { certificateChain: chain = '' } = status;
  if (Buffer.byteLength(chain) > maxChainBytes) return [tooLong(chainPath, maxChainBytes)];
  const wrongChain = (detail: string): FieldError[] => [invalid(chainPath, chain, detail)];
  const [first, ...rest] = pemBlocks(chain);
  if (first === undefined) return wrongChain('issued certificate chain must contain at least one certificate');
  if (first.type !== 'CERTIFICATE') return wrongChain('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  const leaf = readCertificate(first.bytes);
  if (leaf === undefined) return wrongChain('leaf certificate does not parse as valid X.509');

  const errors = validateNames(leaf);
  const wanted = requestedKey(old);
  if ('problem' in wanted) return [...errors, wanted.problem];
  if (!wanted.key.equals(leaf.publicKey)) {
    return [...errors, ...wrongChain('leaf certificate was not issued to the requested public key')];
  }
  append(errors, validateTimesPresent(status));
  if (errors.length > 0) return errors;
  const wrongTime = validateTimes(status, leaf, spec.maxExpirationSeconds as number, now);
  if (wrongTime !== undefined) return [wrongTime];

  for (const { type, bytes } of rest) {
    // the word is misspelt in upstream
    if (type !== 'CERTIFICATE') return wrongChain('issued certificate chain must consist entirely of CERTFICATE PEM blocks');
    if (readCertificate(bytes) === undefined) return wrongChain('intermediate certificate does not parse as valid X.509');
  }
  return [];
}

function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    // The exact fault inside is not sent to clients.
    return undefined;
  }
}

function validateNames(leaf: X509Certificate): FieldError[] {
  const names = [...(leaf.subjectAltName ?? '').matchAll(alternativeName)].map(
    ([, type, name = '']) => [type, name.startsWith('"') ? (JSON.parse(name) as string) : name] as const,
  );
  const dnsNames = names.filter(([type]) => type === 'DNS').map(([, name]) => name);
  const emails = names.filter(([type]) => type === 'email').map(([, name]) => name);
  return [
    ...dnsNames.flatMap((name) => {
      const problems: string[] = [];
      if (name === '') problems.push('leaf certificate should not contain empty DNSName');
      if (name.includes('..')) problems.push("leaf certificate's DNSName should not contain '..'");
      if (name.startsWith('.') || name.endsWith('.')) problems.push("leaf certificate's DNSName should not start or end with '.'");
      return problems.map((problem) => invalid(chainPath, name, problem));
    }),
    ...emails
      .filter((email) => !emailAddress.test(email))
      .map((email) => invalid(chainPath, email, 'leaf certificate should not contain invalid EmailAddress')),
  ];
}

function requestedKey({ spec }: PodCertificateRequestObject): { key: X509Certificate['publicKey'] } | { problem: FieldError } {
  const specPath = FieldPath.root('spec');
  if (spec.stubPKCS10Request) {
    const request = readCertificateRequest(Buffer.from(spec.stubPKCS10Request, 'base64'));
    if (request?.publicKey !== undefined) return { key: request.publicKey };
    return { problem: invalid(specPath.child('stubPKCS10Request'), omitValue, 'must be a valid PKCS#10 CSR') };
  }
  const key = readPublicKey(Buffer.from(spec.pkixPublicKey ?? '', 'base64'));
  if (key !== undefined) return { key };
  return { problem: invalid(specPath.child('pkixPublicKey'), omitValue, 'must be a valid PKIX-serialized public key') };
}

function validateTimesPresent({ notBefore, notAfter, beginRefreshAt }: PodCertificateRequestStatus): FieldError[] {
  const consistent = 'must be present and consistent with the issued certificate';
  const errors: FieldError[] = [];
  if (notBefore === undefined) errors.push(required(timePaths.notBefore, consistent));
  if (notAfter === undefined) errors.push(required(timePaths.notAfter, consistent));
  if (beginRefreshAt === undefined) {
    errors.push(required(timePaths.beginRefreshAt, 'must be present and in the range [notbefore+10min, notafter-10min]'));
  }
  return errors;
}

/** The first thing that is wrong, with all three times present. */
function validateTimes(
  status: PodCertificateRequestStatus,
  { validFromDate, validToDate }: X509Certificate,
  maxExpirationSeconds: number,
  now: number,
): FieldError | undefined {
  const wrong = (field: keyof typeof timePaths, detail: string): FieldError => invalid(timePaths[field], typedValue(status[field]), detail);
  const [notBefore, notAfter, refresh] = [status.notBefore, status.notAfter, status.beginRefreshAt].map((time) =>
    Date.parse(time ?? ''),
  ) as [number, number, number];
  if (notBefore !== validFromDate.getTime()) {
    return wrong('notBefore', 'must be set to the NotBefore time encoded in the leaf certificate');
  }
  if (Math.abs(notBefore - now) >= 5 * minute) {
    return wrong('notBefore', "must be set to within 5 minutes of kube-apiserver's current time");
  }
  if (notAfter !== validToDate.getTime()) {
    return wrong('notAfter', 'must be set to the NotAfter time encoded in the leaf certificate');
  }
  const lifetime = notAfter - notBefore;
  const nanoseconds = BigInt(lifetime) * 1_000_000n;
  if (lifetime < 60 * minute) return invalid(chainPath, nanoseconds, 'leaf certificate lifetime must be >= 1 hour');
  if (lifetime > maxExpirationSeconds * 1000) {
    return invalid(chainPath, nanoseconds, `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxExpirationSeconds})`);
  }
  if (refresh < notBefore + 10 * minute) return wrong('beginRefreshAt', 'must be at least 10 minutes after status.notBefore');
  if (refresh > notAfter - 10 * minute) return wrong('beginRefreshAt', 'must be at least 10 minutes before status.notAfter');
  return undefined;
}
