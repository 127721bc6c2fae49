// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printStorageClass
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import type { StorageClass } from '../../../schema/types/storage-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn, nameColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';

type Class = StorageClass & KubeObject;

const typeName = 'io.k8s.api.storage.v1.StorageClass';
const defaultAnnotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

export const columns: readonly Column<Class>[] = [
  {
    ...nameColumn,
    cell: ({ metadata }, { listed }) => `${metadata.name}${metadata.name === defaultOf(listed ?? []) ? ' (default)' : ''}`,
  },
  { name: 'Provisioner', type: 'string', description: docOf(typeName, 'provisioner'), cell: ({ provisioner }) => provisioner },
  {
    name: 'ReclaimPolicy',
    type: 'string',
    description: docOf(typeName, 'reclaimPolicy'),
    cell: ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
  },
  {
    name: 'VolumeBindingMode',
    type: 'string',
    description: docOf(typeName, 'volumeBindingMode'),
    cell: ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
  },
  {
    name: 'AllowVolumeExpansion',
    type: 'string',
    description: docOf(typeName, 'allowVolumeExpansion'),
    cell: ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
  },
  ageColumn,
];

/** Of several defaults the newest one counts, then the first by name. Only a list can tell. */
function defaultOf(classes: readonly { readonly metadata: ObjectMeta }[]): string | undefined {
  const marked = classes
    .map(({ metadata }) => metadata)
    .filter(({ annotations }) => defaultAnnotations.some((name) => annotations?.[name] === 'true'));
  const [first] = marked.toSorted(
    (a, b) => Date.parse(b.creationTimestamp ?? '') - Date.parse(a.creationTimestamp ?? '') || ((a.name ?? '') < (b.name ?? '') ? -1 : 1),
  );
  return first?.name;
}
