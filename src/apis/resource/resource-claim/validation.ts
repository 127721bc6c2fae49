// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#ValidateResourceClaim
import type { Steps } from '../../../base/steps.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { ResourceClaim } from '../../../schema/types/resource-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateDeviceClaim } from '../../common/device/claim.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';

export type ClaimObject = ResourceClaim & KubeObject;

const specPath = FieldPath.root('spec');
const devicesPath = specPath.child('devices');

/** What cannot be changed is not judged again. */
export function* validate(claim: ClaimObject, old: ClaimObject | undefined, context: WriteContext): Steps<FieldError[]> {
  if (old !== undefined) return validateUpdate(claim, old, context);
  return yield* validateDeviceClaim(claim.spec.devices, devicesPath, context.features);
}

function validateUpdate({ metadata, spec }: ClaimObject, old: ClaimObject, { reader }: WriteContext): FieldError[] {
  const errors = validateMetadata(metadata, true);
  const type = typeAt(reader.resource('resource.k8s.io', 'resourceclaims').storage.type, 'spec');
  if (semanticDeepEqual(spec, old.spec, type)) return errors;
  return [...errors, invalid(specPath, internalValue(type, spec), fieldImmutableMessage).withOrigin('immutable')];
}
