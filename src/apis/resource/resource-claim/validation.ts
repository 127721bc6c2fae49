// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#ValidateResourceClaim
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath } from '../../../machinery/field.ts';
import type { ResourceClaim } from '../../../schema/types/resource-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateDeviceClaim } from '../../common/device/claim.ts';

export type ClaimObject = ResourceClaim & KubeObject;

const devicesPath = FieldPath.root('spec', 'devices');

export function validate({ spec }: ClaimObject, { features }: WriteContext): FieldError[] {
  return validateDeviceClaim(spec.devices, devicesPath, features);
}

/** The type declares that the spec is immutable; there is nothing else to say about it. */
export function validateUpdate({ metadata }: ClaimObject): FieldError[] {
  return validateMetadata(metadata, true);
}
