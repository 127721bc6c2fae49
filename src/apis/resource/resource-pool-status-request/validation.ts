// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation_resourcepoolstatusrequest.go
import { validateConditions } from '../../../machinery/conditions.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { ResourcePoolStatusRequest } from '../../../schema/types/resource-v1alpha3.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';

export type PoolStatusRequestObject = ResourcePoolStatusRequest & KubeObject;

const statusPath = FieldPath.root('status');

/** The status of a request is set once. */
export function validateStatusUpdate(
  { status }: PoolStatusRequestObject,
  old: PoolStatusRequestObject,
  { reader }: WriteContext,
): FieldError[] {
  if (old.status === undefined) {
    return validateConditions(status?.conditions as Parameters<typeof validateConditions>[0], statusPath.child('conditions'));
  }
  if (semanticDeepEqual(status, old.status)) return [];
  const type = typeAt(reader.resource('resource.k8s.io', 'resourcepoolstatusrequests').storage.type, 'status');
  return [invalid(statusPath, status === undefined ? null : internalValue(type, status), fieldImmutableMessage)];
}
