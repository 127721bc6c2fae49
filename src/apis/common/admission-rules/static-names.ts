// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/static_suffix.go
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import { validateObjectMeta } from '../../../machinery/object-meta-validation.ts';
import type { WriteContext } from '../../../server/registry/context.ts';

const metadataPath = FieldPath.root('metadata');
const gate = 'ManifestBasedAdmissionControlConfig';
const suffix = '.static.k8s.io';
const reserved = `names ending with ${goQuote(suffix)} are reserved for static manifest-based configurations and cannot be managed via the API`;

const isReserved = (name: string | undefined): name is string => name?.endsWith(suffix) === true;

/** The group's kinds go by the rules of any API for their metadata, not by those of Kubernetes' own kinds: finalizers may be plain words. */
export function validateOwnMetadata(metadata: ObjectMeta): FieldError[] {
  return validateObjectMeta(metadata, false, nameIsDnsSubdomain, metadataPath);
}

/** Names of what comes from files on the server. */
export function validateNotStatic({ name }: ObjectMeta, { features }: WriteContext): FieldError[] {
  return features.enabled(gate) && isReserved(name) ? [invalid(metadataPath.child('name'), name, reserved)] : [];
}

export function staticNameWarningsOnCreate({ metadata }: { readonly metadata: ObjectMeta }, { features }: WriteContext): string[] {
  return features.enabled(gate) ? [] : staticNameWarnings({ metadata });
}

export function staticNameWarnings({ metadata }: { readonly metadata: ObjectMeta }): string[] {
  return isReserved(metadata.name) ? [`metadata.name: ${reserved}`] : [];
}
