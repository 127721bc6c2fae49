import type { KubeObject } from '../../machinery/kube-object.ts';

/**
 * What the JSON of objects was made of, on its way to a store that keeps another format: there it need not be parsed again. Each is taken
 * once, because its bytes stay in the cache for as long as the object does.
 */
export class WrittenObjects {
  readonly #byValue = new WeakMap<Buffer, KubeObject>();

  /** `object`: what `JSON.parse` would make of the value; it belongs to the taker. */
  give(value: Buffer, object: KubeObject): void {
    this.#byValue.set(value, object);
  }

  take(value: Buffer): KubeObject | undefined {
    const object = this.#byValue.get(value);
    if (object !== undefined) this.#byValue.delete(value);
    return object;
  }
}
