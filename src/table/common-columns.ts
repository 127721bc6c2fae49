import type { ObjectMeta } from '../machinery/object-meta.ts';
import type { Column } from './column.ts';
import type { TableClock } from './table-clock.ts';

interface HasMetadata {
  readonly metadata: ObjectMeta;
}

const nameDescription =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
const createdDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

export const nameColumn: Column<HasMetadata> = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: nameDescription,
  cell: ({ metadata }) => metadata.name ?? '',
};

/** For kinds without columns of their own. */
export const createdAtColumn: Column<HasMetadata> = {
  name: 'Created At',
  type: 'date',
  description: createdDescription,
  cell: ({ metadata }) => metadata.creationTimestamp ?? null,
};

export const ageColumn: Column<HasMetadata> = {
  name: 'Age',
  type: 'string',
  description: createdDescription,
  cell: ({ metadata }, clock) => age(metadata.creationTimestamp, clock),
};

/** `5d`, `3h12m`, or `<unknown>` */
export function age(timestamp: string | null | undefined, clock: TableClock): string {
  return timestamp ? clock.ageOf(Date.parse(timestamp)) : '<unknown>';
}
