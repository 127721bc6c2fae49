// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#ValidateResourceClaimTemplate
import type { Steps } from '../../../base/steps.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { ResourceClaimTemplate } from '../../../schema/types/resource-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateDeviceClaim } from '../../common/device/claim.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';
import { validateTemplateMetadata } from '../../common/persistent-volume-claim-spec.ts';

export type ClaimTemplateObject = ResourceClaimTemplate & KubeObject;

const specPath = FieldPath.root('spec');

export function* validate(template: ClaimTemplateObject, old: ClaimTemplateObject | undefined, context: WriteContext): Steps<FieldError[]> {
  const { metadata, spec } = template.spec;
  const errors = [
    ...(old === undefined ? [] : validateMetadata(template.metadata, true)),
    ...validateTemplateMetadata(metadata, specPath.child('metadata')),
    ...(yield* validateDeviceClaim(spec.devices, specPath.child('spec', 'devices'), context.features)),
  ];
  return old === undefined ? errors : [...errors, ...validateUnchanged(template, old, context)];
}

function validateUnchanged(template: ClaimTemplateObject, old: ClaimTemplateObject, context: WriteContext): FieldError[] {
  const type = typeAt(context.reader.resource('resource.k8s.io', 'resourceclaimtemplates').storage.type, 'spec');
  if (semanticDeepEqual(template.spec, old.spec, type)) return [];
  // Upstream shows its internal struct, in which metadata has no name of its own.
  const { metadata, spec } = template.spec;
  const shown = { ...(internalValue(typeAt(type, 'metadata'), metadata) as object), Spec: internalValue(typeAt(type, 'spec'), spec) };
  return [invalid(specPath, shown, fieldImmutableMessage)];
}
