// Upstream: k8s.io/kubernetes/pkg/apis/authentication/validation/validation.go
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, notSupported } from '../../../machinery/field.ts';
import { checkDns1123Subdomain } from '../../../machinery/names.ts';
import type { BoundObjectReference, TokenRequest } from '../../../schema/types/authentication-v1.ts';

const expirationPath = FieldPath.root('spec', 'expirationSeconds');
const audiencesPath = FieldPath.root('spec', 'audiences');
const attestationsPath = FieldPath.root('spec', 'attestations');
const minSeconds = 600;
const maxSeconds = 2 ** 32;
/** groups of which a webhook is sent objects, if it checks the token */
export const groupsAttestation = 'admissionReviewAPIGroups';

export function validateTokenRequest({ spec }: TokenRequest): FieldError[] {
  const { expirationSeconds, boundObjectRef, audiences } = spec;
  const attestations = spec.attestations ?? {};
  const errors: FieldError[] = [];
  const seconds = Number(expirationSeconds);
  if (seconds < minSeconds) errors.push(invalid(expirationPath, expirationSeconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > maxSeconds) errors.push(invalid(expirationPath, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
  if (!isWebhook(boundObjectRef)) {
    if (Object.keys(attestations).length === 0) return errors;
    return [invalid(attestationsPath, attestations, 'attestations may only be specified with a webhook bound object reference')];
  }
  if (audiences?.length !== 1) errors.push(invalid(audiencesPath, audiences, 'must be length 1 when bound to a webhook config'));
  return [...errors, ...validateAttestations(spec.attestations)];
}

export function isWebhook(reference: BoundObjectReference | null | undefined): boolean {
  if (reference?.apiVersion !== 'admissionregistration.k8s.io/v1') return false;
  return reference.kind === 'ValidatingWebhookConfiguration' || reference.kind === 'MutatingWebhookConfiguration';
}

function validateAttestations(given: Readonly<Record<string, readonly string[]>> | undefined): FieldError[] {
  const attestations = given ?? {};
  const keys = Object.keys(attestations);
  const [key] = keys;
  if (keys.length !== 1 || key === undefined) {
    return [invalid(attestationsPath, given ?? null, 'webhook bound requests require exactly one admissionReviewAPIGroups attestation')];
  }
  const path = attestationsPath.key(key);
  if (key !== groupsAttestation) return [notSupported(path, key, [groupsAttestation])];
  const values = attestations[key] ?? [];
  const [group] = values;
  if (values.length !== 1 || group === undefined) return [invalid(path, values, 'must specify a single value')];
  if (group === '') return [invalid(path.index(0), group, 'may not be an empty string')];
  if (group === '*') return [];
  return checkDns1123Subdomain(group).map((reason) => invalid(path.index(0), group, `must specify a valid API Group: ${reason}`));
}
