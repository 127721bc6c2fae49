// Upstream: k8s.io/kubernetes/pkg/registry/flowcontrol/{flowschema,prioritylevelconfiguration}/strategy.go
// Upstream: k8s.io/kubernetes/pkg/apis/flowcontrol/validation/validation.go
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, duplicate, required, typedValue } from '../../../machinery/field.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type { KubeObject, StatusStrategy } from '../../../server/registry/definition.ts';
import { setOrDelete } from '../../../server/registry/rules.ts';

interface WithConditions extends KubeObject {
  status?: { conditions?: readonly { type?: string }[] };
}

const conditions = FieldPath.root('status', 'conditions');

/** Both kinds of flow control have the same status: conditions, each type once. */
export const flowControlStatus: StatusStrategy<WithConditions> = {
  resetFields: [['spec'], ['metadata']],
  prepareForUpdate(object, old) {
    const { managedFields } = object.metadata;
    object.metadata = { ...old.metadata };
    setOrDelete(object.metadata, 'managedFields', managedFields);
  },
  validateUpdate: ({ status }) => validateConditions(status?.conditions ?? []),
};

function validateConditions(all: readonly { type?: string }[]): FieldError[] {
  const repeats = repeatsIn(all.map(({ type = '' }) => type));
  return all.flatMap(({ type = '' }, index) => {
    const at = conditions.index(index).child('type');
    return [...(repeats.has(index) ? [duplicate(at, typedValue(type))] : []), ...(type === '' ? [required(at, '')] : [])];
  });
}
