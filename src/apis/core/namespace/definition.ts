// Upstream: pkg/registry/core/namespace/strategy.go, pkg/registry/core/namespace/storage/storage.go
import { FieldPath, invalid } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { nameIsDnsLabel } from '../../../machinery/names.ts';
import { FINALIZER_DELETE_DEPENDENTS, FINALIZER_ORPHAN_DEPENDENTS } from '../../../machinery/object-meta.ts';
import { validateFinalizerName } from '../../../machinery/object-meta-validation.ts';
import type { Namespace } from '../../../schema/types/core-v1.ts';
import type { DeleteOptions } from '../../../server/registry/delete.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';

type NamespaceObject = Namespace & KubeObject;

/** set by the server until the content of the namespace is gone */
const contentFinalizer = 'kubernetes';
const nameLabel = 'kubernetes.io/metadata.name';

export const namespaces = defineResource<NamespaceObject>({
  group: '',
  plural: 'namespaces',
  strategy: {
    validateName: nameIsDnsLabel,
    returnDeletedObject: true,
    defaults(namespace) {
      const { metadata } = namespace;
      if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
    },
    prepareForCreate(namespace) {
      namespace.status = { phase: 'Active' };
      const finalizers = namespace.spec?.finalizers ?? [];
      namespace.spec = { finalizers: finalizers.includes(contentFinalizer) ? finalizers : [...finalizers, contentFinalizer] };
    },
    prepareForUpdate(namespace, old) {
      namespace.spec = old.spec;
    },
    validate: ({ spec }) => validateFinalizers(spec?.finalizers),
    beforeDelete: ({ metadata, spec }, options, { now }) => {
      if (metadata.deletionTimestamp === undefined) return { proceed: false, update: (namespace) => terminate(namespace, options, now) };
      return spec?.finalizers?.length ? { proceed: false } : { proceed: true };
    },
    deleteDuringUpdate: ({ spec }) => !spec?.finalizers?.length,
  },
  status: {
    validateUpdate({ metadata, status }) {
      const phase = status?.phase ?? '';
      const path = FieldPath.root('status', 'Phase');
      if (metadata.deletionTimestamp === undefined) {
        return phase === 'Active' ? [] : [invalid(path, phase, "may only be 'Active' if `deletionTimestamp` is empty")];
      }
      return phase === 'Terminating' ? [] : [invalid(path, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
    },
  },
  subresources: {
    finalize: {
      update: {
        prepareForUpdate(namespace, old) {
          namespace.status = old.status;
        },
        validateUpdate: ({ spec }) => validateFinalizers(spec?.finalizers),
        deleteDuringUpdate: ({ spec }) => !spec?.finalizers?.length,
      },
    },
  },
  selectableFields: {
    'status.phase': ({ status }) => status?.phase ?? '',
    name: ({ metadata }) => metadata.name ?? '',
  },
  unknownFieldLabel: (label) => `field label not supported: ${label}`,
  columns: [
    { name: 'Status', type: 'string', description: 'The status of the namespace', cell: ({ status }) => status?.phase ?? '' },
    ageColumn,
  ],
});

function validateFinalizers(finalizers: readonly string[] | undefined): FieldError[] {
  return (finalizers ?? []).flatMap((name, index) => validateFinalizerName(name, FieldPath.root('spec', 'finalizers').index(index)));
}

/** The first request to delete only begins the end: whoever empties the namespace finishes it. */
function terminate(namespace: NamespaceObject, options: DeleteOptions, now: string): NamespaceObject {
  const { metadata } = namespace;
  metadata.deletionTimestamp = now;
  namespace.status = { ...namespace.status, phase: 'Terminating' };
  const finalizers = (metadata.finalizers ?? []).filter(
    (name) => name !== FINALIZER_ORPHAN_DEPENDENTS && name !== FINALIZER_DELETE_DEPENDENTS,
  );
  if (options.orphanDependents || options.propagationPolicy === 'Orphan') finalizers.push(FINALIZER_ORPHAN_DEPENDENTS);
  if (options.propagationPolicy === 'Foreground') finalizers.push(FINALIZER_DELETE_DEPENDENTS);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  return namespace;
}
