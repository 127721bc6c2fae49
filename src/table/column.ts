import type { ObjectMeta } from '../machinery/object-meta.ts';
import type { FieldDoc } from './described.ts';
import type { TableClock } from './table-clock.ts';

/** A cell of a server-side printed table: what goes into the JSON as it is. */
export type Cell = string | number | bigint | boolean | null;

/** One column of what `kubectl get` shows. */
export interface Column<T> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` marks the column that names the object */
  readonly format?: string;
  /** words of its own, or those of a field */
  readonly description?: string | FieldDoc;
  /** 0: always shown; 1: only in wide output */
  readonly priority?: number;
  /** a cell that no header announces: a quirk of some of upstream's tables */
  readonly unannounced?: boolean;
  readonly cell: (object: T, context: CellContext) => Cell;
}

export interface CellContext extends TableClock {
  /** all objects of the table, when it shows a list */
  readonly listed?: readonly { readonly metadata: ObjectMeta }[] | undefined;
}
