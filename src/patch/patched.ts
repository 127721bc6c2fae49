import { goJson } from '../machinery/go-format.ts';
import { isObject, setOwn } from './json/json-object.ts';
import type { JsonObject } from './json/json-object.ts';

/** A document with a patch applied. Upstream and the patch are left alone; parts of them may be shared. */
export interface Patched {
  readonly value: unknown;
  /** The document as upstream quotes it when it does not decode: what the patch touched has its keys sorted, the rest is as it was. */
  text(): string;
  /** The document in the order of that text: values without a declared type keep it. */
  inOrder(): unknown;
  /** the text is what has to be read: it says more than the value */
  readonly readsText?: true;
}

/** Remembers which objects a patch has opened. */
export class Opened {
  readonly #owned = new Set<object>();
  readonly #sorted = new Set<object>();

  /** A copy of a container that may be changed; the same one when it is a copy already. */
  own<T extends JsonObject | unknown[]>(container: T): T {
    if (this.#owned.has(container)) return container;
    const copy = (Array.isArray(container) ? [...container] : { ...container }) as T;
    this.#owned.add(copy);
    this.#sorted.add(copy);
    return copy;
  }

  /** Everything below a value was looked into. */
  sortAll(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    this.#sorted.add(value);
    for (const item of Object.values(value)) this.sortAll(item);
  }

  patched(value: unknown): Patched {
    return { value, text: () => goJson(this.#inOrder(value)), inOrder: () => this.#inOrder(value) };
  }

  #inOrder(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#inOrder(item));
    if (!isObject(value)) return value;
    const names = Object.keys(value);
    const ordered: JsonObject = {};
    for (const name of this.#sorted.has(value) ? names.sort() : names) setOwn(ordered, name, this.#inOrder(value[name]));
    return ordered;
  }
}
