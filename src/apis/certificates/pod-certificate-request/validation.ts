// Upstream: k8s.io/kubernetes/pkg/apis/certificates/validation/validation.go#ValidatePodCertificateRequestCreate
import { append } from '../../../machinery/append.ts';
import type { KeyObject } from 'node:crypto';
import { constants, verify } from 'node:crypto';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, omitValue, required, tooLong, typedValue } from '../../../machinery/field.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { PodCertificateRequest, PodCertificateRequestSpec } from '../../../schema/types/certificates-v1beta1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';
import { validateUserAnnotations } from '../../common/pod-spec/projected-volume.ts';
import { isKubernetesSigner, validateSignerName } from '../../common/signer-name.ts';
import { readCertificateRequest, readPublicKey } from '../../common/certificate-request.ts';

/** As it is stored: the older version has more fields. */
export type PodCertificateRequestObject = PodCertificateRequest & KubeObject;

/** Conditions that end a request. */
export const decisions: readonly string[] = ['Issued', 'Denied', 'Failed'];

const specPath = FieldPath.root('spec');
const keyPath = specPath.child('pkixPublicKey');
const proofPath = specPath.child('proofOfPossession');
const requestPath = specPath.child('stubPKCS10Request');

const maxUidBytes = 128;
const maxKeyBytes = 10 * 1024;
const shortestSeconds = 60 * 60;
const longestSeconds = 91 * 24 * 60 * 60;
const longestSecondsOfKubernetes = 24 * 60 * 60;
/** the one curve that is known and refused */
const weakCurve = 'secp224r1';
const rsaBits: readonly number[] = [3072, 4096];
const unknownKey = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA';

export function validate({ spec }: PodCertificateRequestObject): FieldError[] {
  const { signerName, unverifiedUserAnnotations: annotations, maxExpirationSeconds: seconds } = spec;
  const errors = validateSignerName(signerName, specPath.child('signerName'));
  if (annotations !== undefined) append(errors, validateUserAnnotations(annotations, specPath.child('unverifiedUserAnnotations')));
  for (const subject of ['pod', 'serviceAccount', 'node'] as const) append(errors, validateSubject(spec, subject));

  const secondsPath = specPath.child('maxExpirationSeconds');
  if (seconds === undefined) return [...errors, required(secondsPath, 'must be set')];
  const longest = isKubernetesSigner(signerName) ? longestSecondsOfKubernetes : longestSeconds;
  if (seconds < shortestSeconds || seconds > longest) {
    errors.push(invalid(secondsPath, seconds, `must be in the range [${shortestSeconds}, ${longest}]`));
  }
  return [...errors, ...validateKey(spec)];
}

/** A request is for one certificate: it does not change. */
export function validateUpdate(
  { spec }: PodCertificateRequestObject,
  old: PodCertificateRequestObject,
  { reader }: WriteContext,
): FieldError[] {
  if (semanticDeepEqual(spec, old.spec)) return [];
  const type = typeAt(reader.resource('certificates.k8s.io', 'podcertificaterequests').storage.type, 'spec');
  return [invalid(specPath, internalValue(type, spec), fieldImmutableMessage)];
}

function validateSubject(spec: PodCertificateRequestSpec, subject: 'pod' | 'serviceAccount' | 'node'): FieldError[] {
  const name = spec[`${subject}Name`];
  const uid = spec[`${subject}UID`];
  const errors = nameIsDnsSubdomain(name, false).map((problem) => invalid(specPath.child(`${subject}Name`), name, problem));
  const path = specPath.child(`${subject}UID`);
  if (uid === '') errors.push(invalid(path, uid, 'must not be empty'));
  if (Buffer.byteLength(uid) > maxUidBytes) errors.push(tooLong(path, maxUidBytes));
  return errors;
}

/** Either a request signed with the key, or (deprecated) the key and a signature made with it. */
function validateKey(spec: PodCertificateRequestSpec): FieldError[] {
  const [request, key, proof] = [spec.stubPKCS10Request, spec.pkixPublicKey, spec.proofOfPossession].map((base64) =>
    Buffer.from(base64 ?? '', 'base64'),
  ) as [Buffer, Buffer, Buffer];
  if (request.length > 0 && key.length === 0 && proof.length === 0) return validateRequest(request);
  if (request.length === 0 && key.length > 0 && proof.length > 0) return validateProof(key, proof, spec.podUID);
  const detail = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
  return [invalid(specPath, omitValue, detail)];
}

function validateRequest(bytes: Buffer): FieldError[] {
  if (bytes.length > maxKeyBytes) return [tooLong(requestPath, maxKeyBytes)];
  const request = readCertificateRequest(bytes);
  if (request === undefined) return [invalid(requestPath, omitValue, 'must be a valid PKCS#10 CSR')];
  const wrong = validateStrength(request.publicKey, requestPath, omitValue, 'P256, P384, or P521');
  if (wrong.length > 0) return wrong;
  return request.isSigned ? [] : [invalid(requestPath, omitValue, 'invalid signature')];
}

function validateProof(bytes: Buffer, proof: Buffer, podUid: string): FieldError[] {
  if (bytes.length > maxKeyBytes) return [tooLong(keyPath, maxKeyBytes)];
  if (proof.length > maxKeyBytes) return [tooLong(proofPath, maxKeyBytes)];
  const key = readPublicKey(bytes);
  const shown = typedValue(bytes.toString('base64'));
  if (key === undefined) return [invalid(keyPath, shown, 'must be a valid PKIX-serialized public key')];
  const wrong = validateStrength(key, keyPath, shown, 'P256 or P384');
  if (wrong.length > 0) return wrong;
  const isSigned =
    key.asymmetricKeyType === 'rsa'
      ? verify('sha256', Buffer.from(podUid), { key, padding: constants.RSA_PKCS1_PSS_PADDING }, proof)
      : verify(key.asymmetricKeyType === 'ec' ? 'sha256' : null, Buffer.from(podUid), key, proof);
  return isSigned ? [] : [invalid(proofPath, omitValue, 'could not verify proof-of-possession signature')];
}

/** The two forms of a request name the curves differently, and show a key that they do not know or hide it. */
function validateStrength(key: KeyObject | undefined, path: FieldPath, shown: unknown, curveNames: string): FieldError[] {
  const { namedCurve = '', modulusLength = 0 } = key?.asymmetricKeyDetails ?? {};
  switch (key?.asymmetricKeyType) {
    case 'ed25519':
      return [];
    case 'ec':
      return namedCurve === weakCurve ? [invalid(path, 'curve P-224', `elliptic public keys must use curve ${curveNames}`)] : [];
    case 'rsa': {
      const bits = Math.ceil(modulusLength / 8) * 8;
      return rsaBits.includes(bits) ? [] : [invalid(path, `${bits}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096')];
    }
    default:
      return [invalid(path, shown, unknownKey)];
  }
}
