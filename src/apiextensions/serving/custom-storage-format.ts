// Upstream: apiextensions-apiserver pkg/apiserver/customresource_handler.go (crdConversionRESTOptionsGetter)
import { parseJson } from '../../machinery/codec/json/parse.ts';
import type { Transformed, Transformer } from '../../storage/encryption/ciphers/transformer.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Converter } from '../conversion/converter.ts';
import type { CustomRepresentation } from './custom-representation.ts';

/**
 * Each served version keeps its objects in its own shape; in the store they have the storage version's. With no conversion between
 * versions that means: another apiVersion, and the fields that the other schema knows. Otherwise a webhook is asked. What is read is brought up to date with the
 * schema of the version it was stored in: the schema may have changed since.
 */
export class CustomStorageFormat implements Transformer {
  readonly #served: CustomRepresentation;
  readonly #storage: CustomRepresentation;
  readonly #versions: ReadonlyMap<string, CustomRepresentation>;
  readonly #converter: Converter;
  /** values that were written as they are: they need no second look */
  readonly #known = new WeakSet<Buffer>();

  constructor(served: CustomRepresentation, storage: CustomRepresentation, versions: Iterable<CustomRepresentation>, converter: Converter) {
    this.#converter = converter;
    this.#served = served;
    this.#storage = storage;
    this.#versions = new Map([...versions].map((version) => [version.apiVersion, version]));
  }

  toStorage(value: Buffer): Buffer | Promise<Buffer> {
    if (this.#served === this.#storage) {
      this.#known.add(value);
      return value;
    }
    const object = parseJson(value.toString()) as KubeObject;
    return then(this.#converter.convert(object, this.#storage.apiVersion), (converted) => {
      this.#storage.schema.repair(converted);
      return this.#storage.encodeStored(converted);
    });
  }

  fromStorage(stored: Buffer): Transformed | Promise<Transformed> {
    if (this.#known.has(stored)) return { value: stored, stale: false };
    const object = parseJson(stored.toString()) as KubeObject;
    const from = this.#versions.get(object.apiVersion ?? '');
    if (from === undefined) throw new Error(`request to convert CR from an invalid group/version: ${object.apiVersion ?? ''}`);
    from.schema.repair(object);
    from.schema.applyDefaults(object);
    if (from === this.#served) return this.#read(object, stored);
    return then(this.#converter.convert(object, this.#served.apiVersion), (converted) => {
      this.#served.schema.repair(converted);
      return this.#read(converted, stored);
    });
  }

  #read(object: KubeObject, stored: Buffer): Transformed {
    delete object.metadata.resourceVersion;
    delete object.metadata.selfLink;
    const value = this.#served.encodeStored(object);
    if (this.#served !== this.#storage) return { value, stale: false };
    return value.equals(stored) ? { value: stored, stale: false } : { value, stale: true };
  }
}

/** At once, unless there is something to wait for. */
function then<T, R>(value: T | Promise<T>, next: (value: T) => R): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
