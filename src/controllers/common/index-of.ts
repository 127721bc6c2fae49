import type { KubeObject } from '../../server/registry/definition.ts';
import type { Informer } from './informer.ts';

/** The objects that an informer knows, found by something that several of them share. Tells of nothing; disposed with who uses it. */
export class IndexOf<T extends KubeObject> implements Disposable {
  readonly #groups = new Map<string, Map<string, T>>();
  readonly #keyOf: (object: T) => string | undefined;
  readonly #subscription: Disposable;

  constructor(informer: Informer<T>, keyOf: (object: T) => string | undefined) {
    this.#keyOf = keyOf;
    this.#subscription = informer.subscribe({
      changed: (object, old) => {
        if (old !== undefined) this.#remove(old);
        this.#add(object);
      },
      deleted: (object) => this.#remove(object),
    });
  }

  get(key: string): IteratorObject<T> {
    return (this.#groups.get(key) ?? new Map<string, T>()).values();
  }

  count(key: string): number {
    return this.#groups.get(key)?.size ?? 0;
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#groups.clear();
  }

  #add(object: T): void {
    const key = this.#keyOf(object);
    if (key === undefined) return;
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, new Map([[nameOf(object), object]]));
    else group.set(nameOf(object), object);
  }

  #remove(object: T): void {
    const key = this.#keyOf(object) ?? '';
    const group = this.#groups.get(key);
    if (group?.delete(nameOf(object)) && group.size === 0) this.#groups.delete(key);
  }
}

function nameOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
