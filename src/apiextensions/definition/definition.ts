// Upstream: apiextensions-apiserver pkg/registry/customresourcedefinition/{strategy,etcd}.go
import { semanticDeepEqual } from '../../machinery/deep-equal.ts';
import type { Reservation, ResourceDefinition } from '../../server/registry/definition.ts';
import { defineResource } from '../../server/registry/definition.ts';
import type { ObjectMetas } from '../schema/object-meta.ts';
import { definitionColumns } from './columns.ts';
import type { CustomResourceDefinition } from './conditions.ts';
import { setCondition } from './conditions.ts';
import { defaultDefinition } from './defaults.ts';
import { validateDefinition, validateDefinitionUpdate, validateStatus } from './validation.ts';
import { definitionWarnings } from './warnings.ts';

/** keeps a definition until its resources are gone */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export interface DefinitionHooks {
  /** Resolves when the server has taken notice of a definition as it is now stored: its conditions are set, its resources are served. */
  readonly settled: (name: string) => Promise<void>;
  readonly metas: () => ObjectMetas;
}

/** The kind CustomResourceDefinition. */
export function customResourceDefinitions({ settled, metas }: DefinitionHooks): ResourceDefinition {
  const settle = ({ metadata }: CustomResourceDefinition): Reservation => ({
    operations: () => [],
    finish: (revision) => (revision === undefined ? undefined : settled(metadata.name ?? '')),
  });
  return defineResource<CustomResourceDefinition>({
    group: 'apiextensions.k8s.io',
    plural: 'customresourcedefinitions',
    hubVersion: 'v1',
    strategy: {
      allowUnconditionalUpdate: false,
      defaults: defaultDefinition,
      prepareForCreate(definition) {
        definition.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
        definition.metadata.generation = 1;
        rememberStorageVersion(definition);
      },
      prepareForUpdate(definition, old) {
        definition.status = structuredClone(old.status);
        if (!semanticDeepEqual(definition.spec, old.spec)) definition.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
        rememberStorageVersion(definition);
      },
      // Names are checked with the rest: they follow from the spec.
      leavesMetadata: true,
      validate: (definition) => validateDefinition(definition, metas()),
      validateUpdate: (definition, old) => validateDefinitionUpdate(definition, old, metas()),
      warningsOnCreate: (definition) => definitionWarnings(definition),
      warningsOnUpdate: definitionWarnings,
      beginCreate: async (definition) => settle(definition),
      beginUpdate: async (definition) => settle(definition),
      beforeDelete: ({ metadata }, _options, { now }) =>
        metadata.deletionTimestamp === undefined
          ? { proceed: false, update: (definition) => terminate(definition, now) }
          : { proceed: true },
    },
    status: { validateUpdate: validateStatus },
    columns: definitionColumns,
  });
}

/** Objects may be stored in any version that ever was the storage version. */
function rememberStorageVersion({ spec, status }: CustomResourceDefinition): void {
  const storage = spec.versions?.find((version) => version.storage);
  const stored = status.storedVersions ?? [];
  if (storage !== undefined && !stored.includes(storage.name)) status.storedVersions = [...stored, storage.name];
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
