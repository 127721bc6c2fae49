import type { CacheEntry } from './types.ts';

/** Entries by the value of a selectable field, for a few fields. A field that an entry lacks counts as empty, as in selectors. */
export class FieldIndex<T extends CacheEntry> {
  readonly #byField: ReadonlyMap<string, Map<string, Map<string, T>>>;

  constructor(fields: readonly string[]) {
    this.#byField = new Map(fields.map((field) => [field, new Map<string, Map<string, T>>()]));
  }

  replace(before: T | undefined, after: T | undefined): void {
    for (const [field, byValue] of this.#byField) {
      if (before !== undefined && (after === undefined || fieldOf(before, field) !== fieldOf(after, field))) {
        const value = fieldOf(before, field);
        const bucket = byValue.get(value);
        if (bucket?.delete(before.key) && bucket.size === 0) byValue.delete(value);
      }
      if (after === undefined) continue;
      const value = fieldOf(after, field);
      const bucket = byValue.get(value);
      if (bucket === undefined) byValue.set(value, new Map([[after.key, after]]));
      else bucket.set(after.key, after);
    }
  }

  /** no field is indexed */
  get isEmpty(): boolean {
    return this.#byField.size === 0;
  }

  /** The smallest set of entries, in no order, that holds all those with these field values; undefined when no index helps. */
  candidates(fieldEquals: Readonly<Record<string, string>>): ReadonlyMap<string, T> | undefined {
    let best: ReadonlyMap<string, T> | undefined;
    for (const field of Object.keys(fieldEquals)) {
      const byValue = this.#byField.get(field);
      if (byValue === undefined) continue;
      const bucket = byValue.get(fieldEquals[field] ?? '') ?? new Map<string, T>();
      if (best === undefined || bucket.size < best.size) best = bucket;
    }
    return best;
  }
}

export function fieldOf(entry: CacheEntry, field: string): string {
  return entry.fields[field] ?? '';
}
