// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go#crdConversionRESTOptionsGetter
import { parseJson } from '../../machinery/codec/json/parse.ts';
import type { Transformed, Transformer } from '../../storage/encryption/ciphers/transformer.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Converter } from '../conversion/converter.ts';
import type { CustomVersionedKind } from './custom-versioned-kind.ts';

/**
 * Each served version keeps its objects in its own shape; in the store they have the storage version's. With no conversion between
 * versions that means: another apiVersion, and the fields that the other schema knows. Otherwise a webhook is asked. What is read is brought up to date with the
 * schema of the version it was stored in, defaults included: the schema may have changed since. What is written is not: a default that
 * no client asked for goes away with the schema that has it.
 */
export class CustomStorageFormat implements Transformer {
  readonly #served: CustomVersionedKind;
  readonly #storage: CustomVersionedKind;
  readonly #versions: ReadonlyMap<string, CustomVersionedKind>;
  readonly #converter: Converter;
  /** values by what was stored of them, and the other way round: they need no second look */
  readonly #read = new WeakMap<Buffer, Buffer>();
  readonly #stored = new WeakMap<Buffer, Buffer>();

  constructor(served: CustomVersionedKind, storage: CustomVersionedKind, versions: Iterable<CustomVersionedKind>, converter: Converter) {
    this.#converter = converter;
    this.#served = served;
    this.#storage = storage;
    this.#versions = new Map([...versions].map((version) => [version.apiVersion, version]));
  }

  /** Whether what is served is not what is stored. */
  get converts(): boolean {
    return this.#served !== this.#storage;
  }

  toStorage(value: Buffer): Buffer | Promise<Buffer> {
    const known = this.#stored.get(value);
    if (known !== undefined) return known;
    const own = this.#served.withoutDefaults(value);
    if (!this.converts) {
      this.#read.set(own, value);
      return own;
    }
    const object = parseJson(own.toString()) as KubeObject;
    return then(this.#converter.convert(object, this.#storage.apiVersion), (converted) => {
      this.#storage.schema.coerce(converted, false);
      return this.#storage.encodeAsIs(converted);
    });
  }

  fromStorage(stored: Buffer): Transformed | Promise<Transformed> {
    const known = this.#read.get(stored);
    if (known !== undefined) return { value: known, stale: known !== stored };
    const object = parseJson(stored.toString()) as KubeObject;
    const from = this.#versions.get(object.apiVersion ?? '');
    if (from === undefined) throw new Error(`request to convert CR from an invalid group/version: ${object.apiVersion ?? ''}`);
    from.schema.repair(object);
    from.schema.applyDefaults(object);
    delete object.metadata.resourceVersion;
    delete object.metadata.selfLink;
    const repaired = from.encodeAsIs(object);
    const stale = from !== this.#storage || !repaired.equals(stored);
    if (from === this.#served) return stale ? { value: repaired, stale } : { value: stored, stale };
    return then(this.#converter.convert(object, this.#served.apiVersion), (converted) => {
      this.#served.schema.coerce(converted, false);
      return { value: this.#served.encodeAsIs(converted), stale };
    });
  }

  /** What reading will give of a value that is about to be written; the value itself where nothing is converted. */
  async readBack(value: Buffer): Promise<Buffer> {
    const stored = await this.toStorage(value);
    const read = await this.fromStorage(stored);
    this.#stored.set(read.value, stored);
    return read.value;
  }
}

/** At once, unless there is something to wait for. */
function then<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
