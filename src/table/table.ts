// Upstream: k8s.io/apiserver/pkg/registry/rest/table.go, k8s.io/apiserver/pkg/endpoints/handlers/response.go#asTable
import type { ListMeta, ObjectMeta } from '../machinery/object-meta.ts';
import { nameColumn, createdAtColumn } from './common-columns.ts';
import type { CellContext, Column } from './column.ts';
import type { FieldDescriptions } from './described.ts';
import { descriptionOf } from './described.ts';
import type { TableClock } from './table-clock.ts';

export interface TableRequest<T extends { metadata: ObjectMeta }> {
  /** undefined: name and time of creation, as for kinds without columns of their own */
  readonly columns: readonly Column<T>[] | undefined;
  readonly objects: readonly T[];
  /** a list, and not one object or event */
  readonly isList?: boolean;
  /** all objects of the list, where `objects` are some of them */
  readonly listed?: readonly T[];
  /** the object that cells are made from, where it is not the one shown (another version of it) */
  readonly cellSource?: (object: T) => T;
  readonly descriptions?: FieldDescriptions | undefined;
  /** what holds for an object beside its cells */
  readonly rowConditions?: ((object: T) => readonly RowCondition[]) | undefined;
  /** what a row shows of its object where the client does not ask for more; default: its metadata */
  readonly rowMetadata?: (object: T) => unknown;
  readonly listMeta: ListMeta;
  readonly metaVersion: 'v1' | 'v1beta1';
  /** Object, Metadata (default) or None */
  readonly includeObject: string;
  /** later events of a watch repeat no headers */
  readonly noHeaders: boolean;
  readonly clock: TableClock;
}

export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly Row[] | null;
}

interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** A remark that a client may act on: `Completed` rows can be hidden. */
export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

interface Row {
  readonly cells: readonly unknown[];
  readonly conditions?: readonly RowCondition[];
  readonly object: unknown;
}

/** What `kubectl get` shows: a row per object. */
export function tableOf<T extends { metadata: ObjectMeta }>(request: TableRequest<T>): Table {
  const { objects, listMeta, metaVersion, noHeaders, clock } = request;
  const columns = withName(request.columns);
  const context: CellContext = {
    get now() {
      return clock.now;
    },
    ageOf: (since) => clock.ageOf(since),
    get listed() {
      clock.readsOthers?.();
      return request.isList ? (request.listed ?? objects) : undefined;
    },
  };
  const rows = objects.map((object) => {
    const source = request.cellSource?.(object) ?? object;
    const conditions = request.rowConditions?.(source) ?? [];
    return {
      cells: columns.map(({ cell }) => cell(source, context)),
      ...(conditions.length > 0 && { conditions }),
      object: rowObject(object, request),
    };
  });
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${metaVersion}`,
    metadata: listMeta,
    columnDefinitions: noHeaders
      ? null
      : columns
          .filter(({ unannounced }) => !unannounced)
          .map(({ name, type, format = '', description, priority = 0 }) => ({
            name,
            type,
            format,
            description: descriptionOf(description, request.descriptions),
            priority,
          })),
    // the generic table of nothing has no rows, where others have none of them
    rows: request.columns === undefined && rows.length === 0 ? null : rows,
  };
}

/** The name comes first, unless a kind has placed it elsewhere. */
function withName<T extends { metadata: ObjectMeta }>(columns: readonly Column<T>[] | undefined): readonly Column<T>[] {
  if (columns === undefined) return [nameColumn, createdAtColumn];
  return columns.some(({ name }) => name === nameColumn.name) ? columns : [nameColumn, ...columns];
}

function rowObject<T extends { metadata: ObjectMeta }>(object: T, { includeObject, metaVersion, rowMetadata }: TableRequest<T>): unknown {
  switch (includeObject) {
    case 'Object':
      return object;
    case 'None':
      return null;
    default:
      if (rowMetadata !== undefined) return rowMetadata(object);
      return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${metaVersion}`, metadata: object.metadata };
  }
}
