// Upstream: k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/{strategy,etcd}.go
import { semanticDeepEqual } from '../../machinery/deep-equal.ts';
import { conflict } from '../../machinery/errors.ts';
import type { Codecs } from '../../server/object/codecs.ts';
import type { DeleteOptions } from '../../server/registry/delete.ts';
import type { Reservation, ResourceDefinition } from '../../server/registry/definition.ts';
import { defineResource } from '../../server/registry/definition.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { schemasIn } from '../schema-validation/schema-walk.ts';
import { ObjectMetas } from '../schema/object-meta.ts';
import { metaType } from '../../server/object/codecs.ts';
import { definitionColumns } from './columns.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';
import { setCondition } from '../conditions/conditions.ts';
import { defaultDefinition } from './defaults.ts';
import type { DefinitionProgress } from './progress.ts';
import { v1beta1 } from './v1beta1.ts';
import { readFloats } from './schema-floats.ts';
import { validateDefinition, validateDefinitionUpdate, validateStatusUpdate } from './validation.ts';
import { definitionWarnings } from './warnings.ts';

const group = 'apiextensions.k8s.io';
const plural = 'customresourcedefinitions';

/** keeps a definition until its resources are gone */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** The kind CustomResourceDefinition. */
export function customResourceDefinitions(codecs: Codecs, progress: DefinitionProgress): ResourceDefinition {
  let known: ObjectMetas | undefined;
  const metas = (): ObjectMetas => (known ??= new ObjectMetas(codecs.json, metaType(codecs, 'ObjectMeta')));
  const settle = ({ metadata }: CustomResourceDefinition): Reservation => ({
    operations: () => [],
    finish: (revision) => (revision === undefined ? undefined : progress.settled(metadata.name ?? '')),
  });
  return defineResource<CustomResourceDefinition>({
    group,
    plural,
    hubVersion: 'v1',
    jsonStorageVersion: 'v1beta1',
    conversions: { 'apiextensions.k8s.io/v1beta1': v1beta1 },
    strategy: {
      allowUnconditionalUpdate: false,
      defaults: defaultDefinition,
      readFloats,
      prepareForCreate(definition) {
        definition.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
        definition.metadata.generation = 1;
        rememberStorageVersion(definition);
      },
      prepareForUpdate(definition, old) {
        definition.status = structuredClone(old.status);
        if (schemasWithoutItems(definition).length > 0 || !semanticDeepEqual(definition.spec, old.spec))
          definition.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
        rememberStorageVersion(definition);
      },
      canonicalize(definition) {
        for (const schema of schemasWithoutItems(definition)) delete schema.items;
      },
      // Names are checked with the rest: they follow from the spec.
      skipsMetadataValidation: true,
      repeatsErrors: true,
      validateInSteps: (definition, old) =>
        old === undefined ? validateDefinition(definition, metas()) : validateDefinitionUpdate(definition, old, metas()),
      warningsOnCreate: (definition) => definitionWarnings(definition),
      warningsOnUpdate: definitionWarnings,
      beginCreate: async (definition) => settle(definition),
      beginUpdate: async (definition) => settle(definition),
      beforeDelete(definition, options, { now, inCollection }) {
        // A quirk kept: as one of a collection a definition is deleted like anything else, instances or not.
        if (inCollection) return { proceed: true };
        checkPreconditions(definition, options);
        if (definition.metadata.deletionTimestamp !== undefined) return { proceed: true };
        return { proceed: false, update: (stored) => terminate(stored, now) };
      },
    },
    status: { validateUpdate: validateStatusUpdate },
    columns: definitionColumns,
  });
}

/** Schemas with `items` that are neither a schema nor a list of some: those are not stored, but count as a change whenever they are sent. */
function schemasWithoutItems({ spec }: CustomResourceDefinition): JSONSchemaProps[] {
  return (spec.versions ?? []).flatMap(({ schema }) => schemasIn(schema?.openAPIV3Schema).filter(({ items }) => items === null));
}

/** Objects may be stored in any version that ever was the storage version. */
function rememberStorageVersion({ spec, status }: CustomResourceDefinition): void {
  const storage = spec.versions?.find((version) => version.storage);
  const stored = status.storedVersions ?? [];
  if (storage !== undefined && !stored.includes(storage.name)) status.storedVersions = [...stored, storage.name];
}

function checkPreconditions({ metadata }: CustomResourceDefinition, { preconditions }: DeleteOptions): void {
  const check = (what: string, wanted: string | undefined, found: string | undefined): void => {
    if (wanted === undefined || wanted === found) return;
    const text = `precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found ?? ''}`;
    throw conflict({ group, resource: plural }, metadata.name ?? '', text);
  };
  check('UID', preconditions?.uid, metadata.uid);
  check('ResourceVersion', preconditions?.resourceVersion, metadata.resourceVersion);
}

/** The first request to delete only begins the end: when the resources are gone, so is the definition. */
function terminate(definition: CustomResourceDefinition, now: string): CustomResourceDefinition {
  const { metadata } = definition;
  metadata.deletionTimestamp = now;
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(cleanupFinalizer)) metadata.finalizers = [...finalizers, cleanupFinalizer];
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  setCondition(definition, { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message }, now);
  return definition;
}
