import type { FieldDescriptions } from '../../table/described.ts';

/** Descriptions of columns, read with the first request for a table. */
export class ColumnDescriptions implements FieldDescriptions {
  readonly #read: () => Promise<FieldDescriptions>;
  #loading: Promise<void> | undefined;
  #loaded: FieldDescriptions | undefined;

  constructor(read: () => Promise<FieldDescriptions>) {
    this.#read = read;
  }

  /** undefined: they are there. */
  load(): Promise<void> | undefined {
    if (this.#loaded !== undefined) return undefined;
    this.#loading ??= this.#read().then((loaded) => void (this.#loaded = loaded));
    return this.#loading;
  }

  ofField(type: string, field: string): string | undefined {
    return this.#loaded?.ofField(type, field);
  }
}
