// Upstream: k8s.io/kubernetes/pkg/registry/node/runtimeclass/strategy.go
import { FieldPath } from '../../../machinery/field.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { deprecatedNodeLabel } from '../../common/node-label-warnings.ts';
import { validate, validateOwnMetadata, validateUpdate } from './validation.ts';
import type { RuntimeClassObject } from './validation.ts';

export const runtimeClasses = defineResource<RuntimeClassObject>({
  group: 'node.k8s.io',
  plural: 'runtimeclasses',
  strategy: {
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    // Its own rules begin with the metadata; finalizers may have any name that is well formed.
    skipsMetadataValidation: true,
    validate: (object) => [...validateOwnMetadata(object.metadata), ...validate(object)],
    validateUpdate,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
  },
  // upstream looks for the description of the handler where there is none
  columns: [{ name: 'Handler', type: 'string', cell: ({ handler }) => handler }, ageColumn],
});

function warnings({ scheduling }: RuntimeClassObject): readonly string[] {
  return Object.keys(scheduling?.nodeSelector ?? {}).flatMap((label) => {
    const text = deprecatedNodeLabel(label);
    return text === undefined ? [] : [`${FieldPath.root('scheduling', 'nodeSelector')}: ${text}`];
  });
}
