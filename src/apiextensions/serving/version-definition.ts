// Upstream: k8s.io/apiextensions-apiserver/pkg/registry/customresource/{strategy,status_strategy}.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import { forbidden } from '../../machinery/errors.ts';
import type { CustomResourceDefinitionVersion } from '../../schema/types/apiextensions-v1.ts';
import type { KubeObject, ResourceDefinition, Strategy } from '../../server/registry/definition.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';
import { isConditionTrue } from '../conditions/conditions.ts';
import type { ObjectMetas } from '../schema/object-meta.ts';
import { customColumns } from './columns.ts';
import type { CustomVersionedKind } from './custom-versioned-kind.ts';
import type { CelMetrics } from './cel-metrics.ts';
import { CustomValidation } from './custom-validation.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { scaleDefinition } from './scale.ts';
import { selectableFields } from './selectable-fields.ts';

export interface VersionParts {
  readonly definition: CustomResourceDefinition;
  readonly version: CustomResourceDefinitionVersion;
  readonly versionedKind: CustomVersionedKind;
  readonly metas: ObjectMetas;
  readonly metrics?: CelMetrics;
}

/** How one version of a custom resource behaves. */
export function versionDefinition(parts: VersionParts): ResourceDefinition & { readonly strategy: Strategy; readonly hasStatus: boolean } {
  const { definition, version, versionedKind, metas } = parts;
  const { group, names } = definition.spec;
  const hasStatus = version.subresources?.status !== undefined;
  const scale = version.subresources?.scale;
  const validation = new CustomValidation(versionedKind, scale, metas, definition.spec.scope === 'Namespaced', parts.metrics);
  const selectable = selectableFields(version.selectableFields ?? []);
  const isTerminating = definition.metadata.deletionTimestamp !== undefined || isConditionTrue(definition, 'Terminating');
  return {
    group,
    plural: names.plural,
    hasStatus,
    strategy: {
      allowUnconditionalUpdate: false,
      skipsMetadataValidation: true,
      repeatsErrors: true,
      async authorize({ metadata }, old) {
        if (old !== undefined || !isTerminating) return;
        const resource = { group, resource: names.plural };
        throw forbidden(resource, metadata.name ?? '', 'create not allowed while custom resource definition is terminating');
      },
      prepareForCreate({ metadata }) {
        metadata.generation = 1;
      },
      prepareForUpdate(object, old) {
        if (changesContent(object, old)) object.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
      },
      validateInSteps: (object, old, context) =>
        old === undefined ? validation.validate(object, context) : validation.validateUpdate(object, old, context),
      warningsOnCreate: (object) => finalizerWarnings(object, undefined),
      warningsOnUpdate: finalizerWarnings,
    },
    status: {
      resetFields: [['metadata'], ['spec']],
      prepareForUpdate(object, old) {
        const { managedFields } = object.metadata;
        object.metadata = { ...structuredClone(old.metadata), ...(managedFields !== undefined && { managedFields }) };
        if (managedFields === undefined) delete object.metadata.managedFields;
      },
      // a status is never created
      validateInSteps: (object, old, context) => validation.validateStatusUpdate(object, old ?? object, context),
    },
    ...(scale !== undefined && { scale: scaleDefinition(scale) }),
    columns: customColumns(version.additionalPrinterColumns),
    ...selectable,
  };
}

/** Anything but metadata counts, an empty list that was not there before included; without a status subresource the status does too. */
function changesContent(object: KubeObject, old: KubeObject): boolean {
  const { metadata: _, ...content } = object;
  const { metadata: __, ...oldContent } = old;
  return !deepEqual(content, oldContent);
}
