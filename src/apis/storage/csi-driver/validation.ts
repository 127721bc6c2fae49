// Upstream: k8s.io/kubernetes/pkg/apis/storage/validation/validation.go#ValidateCSIDriver
import { append } from '../../../machinery/append.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, duplicate, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type { CSIDriver, CSIDriverSpec, TokenRequest } from '../../../schema/types/storage-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';

export type CsiDriverObject = CSIDriver & KubeObject;

const specPath = Path.root('spec');
const groupPolicies: readonly string[] = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes: readonly string[] = ['Persistent', 'Ephemeral'];
const shortestPeriodSeconds = 10;
const shortestTokenSeconds = 600;
const longestTokenSeconds = 2 ** 32;

export function validate({ spec }: CsiDriverObject, { features }: WriteContext): FieldError[] {
  const { fsGroupPolicy: policy, nodeAllocatableUpdatePeriodSeconds: period } = spec;
  const errors: FieldError[] = [];
  // the field is misnamed in upstream
  if (spec.attachRequired === undefined) errors.push(required(specPath.child('attachedRequired'), ''));
  for (const field of ['podInfoOnMount', 'storageCapacity'] as const) append(errors, validatePresent(spec, field));
  if (policy !== undefined && !groupPolicies.includes(policy)) {
    errors.push(notSupported(specPath.child('fsGroupPolicy'), typedValue(policy), groupPolicies));
  }
  append(errors, validateTokenRequests(spec.tokenRequests ?? [], specPath.child('tokenRequests')));
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (!lifecycleModes.includes(mode)) {
      errors.push(notSupported(specPath.child('volumeLifecycleModes'), typedValue(mode), lifecycleModes));
    }
  }
  if (features.enabled('SELinuxMountReadWriteOncePod')) append(errors, validatePresent(spec, 'seLinuxMount'));
  if (period !== undefined && period < shortestPeriodSeconds) {
    const detail = 'must be greater than or equal to 10 seconds';
    errors.push(invalid(specPath.child('nodeAllocatableUpdatePeriodSeconds'), period, detail));
  }
  if (spec.serviceAccountTokenInSecrets !== undefined && !spec.tokenRequests?.length) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    errors.push(invalid(specPath.child('serviceAccountTokenInSecrets'), spec.serviceAccountTokenInSecrets, detail));
  }
  if (features.enabled('VolumeLimitScaling')) append(errors, validatePresent(spec, 'preventPodSchedulingIfMissing'));
  return errors;
}

export function validateUpdate(driver: CsiDriverObject, { spec: old }: CsiDriverObject, context: WriteContext): FieldError[] {
  const { attachRequired, volumeLifecycleModes } = driver.spec;
  const errors = validate(driver, context);
  if (attachRequired !== old.attachRequired) {
    errors.push(invalid(specPath.child('attachedRequired'), attachRequired ?? null, fieldImmutableMessage));
  }
  if (!semanticDeepEqual(volumeLifecycleModes, old.volumeLifecycleModes)) {
    const path = specPath.child('volumeLifecycleModes');
    errors.push(invalid(path, volumeLifecycleModes ?? null, fieldImmutableMessage).withOrigin('immutable'));
  }
  return errors;
}

function validatePresent(spec: CSIDriverSpec, field: keyof CSIDriverSpec): FieldError[] {
  return spec[field] === undefined ? [required(specPath.child(field), '')] : [];
}

/** One token for each audience. */
function validateTokenRequests(requests: readonly TokenRequest[], path: FieldPath): FieldError[] {
  const repeats = repeatsIn(requests.map(({ audience }) => audience));
  return requests.flatMap(({ audience, expirationSeconds: seconds }, index) => {
    const at = path.index(index);
    if (repeats.has(index)) return [duplicate(at.child('audience'), audience)];
    if (seconds === undefined) return [];
    const errors: FieldError[] = [];
    const secondsPath = at.child('expirationSeconds');
    if (seconds < shortestTokenSeconds) errors.push(invalid(secondsPath, seconds, 'may not specify a duration less than 10 minutes'));
    if (seconds > longestTokenSeconds) errors.push(invalid(secondsPath, seconds, 'may not specify a duration larger than 2^32 seconds'));
    return errors;
  });
}
