// Upstream: k8s.io/kubernetes/pkg/registry/core/namespace/strategy.go, k8s.io/kubernetes/pkg/registry/core/namespace/storage/storage.go
import type { ApiError } from '../../../machinery/errors.ts';
import { conflict } from '../../../machinery/errors.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { nameIsDnsLabel } from '../../../machinery/names.ts';
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import { finalizerDeleteDependents, finalizerOrphanDependents } from '../../../machinery/object-meta.ts';
import { validateFinalizerName } from '../../../machinery/object-meta-validation.ts';
import type { Namespace } from '../../../schema/types/core-v1.ts';
import type { DeleteOptions } from '../../../server/registry/delete.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { validateKubeFinalizer, validateMetadata } from '../../../server/registry/rules.ts';
import { ageColumn } from '../../../table/common-columns.ts';

type NamespaceObject = Namespace & KubeObject;

/** set by the server until the content of the namespace is gone */
const contentFinalizer = 'kubernetes';
const finalizersPath = FieldPath.root('spec', 'finalizers');
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
      namespace.status = { ...namespace.status, phase: namespace.status?.phase || 'Active' };
    },
    prepareForCreate(namespace) {
      namespace.status = { phase: 'Active' };
      const finalizers = namespace.spec?.finalizers ?? [];
      namespace.spec = { finalizers: finalizers.includes(contentFinalizer) ? finalizers : [...finalizers, contentFinalizer] };
    },
    prepareForUpdate(namespace, old) {
      namespace.spec = old.spec;
    },
    /** A generated name is not there yet when defaults are filled in. */
    canonicalize({ metadata }) {
      metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name ?? '' };
    },
    validate: ({ spec }) => (spec?.finalizers ?? []).flatMap((name) => validateContentFinalizer(name, finalizersPath)),
    validatesMetadataOnUpdate: true,
    validateUpdate: ({ metadata }) => validateMetadata(metadata, false, nameIsDnsLabel),
    beforeDelete: ({ metadata, spec }, options, { now }) => {
      checkPreconditions(metadata, options);
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
        resetFields: [['status']],
        prepareForUpdate(namespace, old) {
          namespace.status = old.status;
        },
        validateUpdate: ({ spec }) =>
          (spec?.finalizers ?? []).flatMap((name, index) => validateContentFinalizer(name, finalizersPath.index(index))),
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

function validateContentFinalizer(name: string, path: FieldPath): FieldError[] {
  return [...validateFinalizerName(name, path), ...validateKubeFinalizer(name, path)];
}

/** Checked here, since upstream words it differently for namespaces than for everything else. */
function checkPreconditions({ name = '', uid = '', resourceVersion = '' }: ObjectMeta, { preconditions }: DeleteOptions): void {
  const failed = (what: string, asked: string, actual: string): ApiError =>
    conflict(
      { group: '', resource: 'namespaces' },
      name,
      `Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${actual}`,
    );
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) throw failed('UID', preconditions.uid, uid);
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    throw failed('ResourceVersion', preconditions.resourceVersion, resourceVersion);
  }
}

/** The first request to delete only begins the end: the namespace controller finishes it. */
function terminate(namespace: NamespaceObject, options: DeleteOptions, now: string): NamespaceObject {
  const { metadata } = namespace;
  metadata.deletionTimestamp = now;
  namespace.status = { ...namespace.status, phase: 'Terminating' };
  const finalizers = (metadata.finalizers ?? []).filter((name) => name !== finalizerOrphanDependents && name !== finalizerDeleteDependents);
  const had = new Set(metadata.finalizers);
  const { orphanDependents, propagationPolicy } = options;
  const wants = (finalizer: string, byOrphan: boolean, policy: string): boolean => {
    if (orphanDependents !== undefined) return orphanDependents === byOrphan;
    return propagationPolicy === undefined ? had.has(finalizer) : propagationPolicy === policy;
  };
  if (wants(finalizerOrphanDependents, true, 'Orphan')) finalizers.push(finalizerOrphanDependents);
  if (wants(finalizerDeleteDependents, false, 'Foreground')) finalizers.push(finalizerDeleteDependents);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  return namespace;
}
