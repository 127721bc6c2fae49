// Upstream: apiextensions-apiserver pkg/apiserver/customresource_handler.go (crdConversionRESTOptionsGetter)
import type { Transformed, Transformer } from '../../storage/encryption/transformer.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { CustomRepresentation } from './custom-representation.ts';

/**
 * Each served version keeps its objects in its own shape; in the store they have the storage version's. With no conversion between
 * versions that means: another apiVersion, and the fields that the other schema knows. What is read is brought up to date with the
 * schema of the version it was stored in: the schema may have changed since.
 */
export class CustomStorageFormat implements Transformer {
  readonly #served: CustomRepresentation;
  readonly #storage: CustomRepresentation;
  readonly #versions: ReadonlyMap<string, CustomRepresentation>;
  /** values that went through here, as they were on the other side: they need no second look */
  readonly #known = new WeakMap<Buffer, Buffer>();

  constructor(served: CustomRepresentation, storage: CustomRepresentation, versions: Iterable<CustomRepresentation>) {
    this.#served = served;
    this.#storage = storage;
    this.#versions = new Map([...versions].map((version) => [version.apiVersion, version]));
  }

  toStorage(value: Buffer): Buffer {
    const stored = this.#served === this.#storage ? value : this.#convert(value, this.#storage);
    this.#known.set(stored, value);
    return stored;
  }

  fromStorage(stored: Buffer): Transformed {
    const known = this.#known.get(stored);
    // What conversion drops on the way to the store is not there when it is read again.
    if (known !== undefined && this.#served === this.#storage) return { value: known, stale: false };
    const object = JSON.parse(stored.toString()) as KubeObject;
    const from = this.#versions.get(object.apiVersion ?? '');
    if (from === undefined) throw new Error(`request to convert CR from an invalid group/version: ${object.apiVersion ?? ''}`);
    from.schema.repair(object);
    from.schema.applyDefaults(object);
    if (from !== this.#served) {
      object.apiVersion = this.#served.apiVersion;
      this.#served.schema.repair(object);
    }
    delete object.metadata.resourceVersion;
    delete object.metadata.selfLink;
    const value = this.#served.encodeStored(object);
    if (this.#served !== this.#storage) return { value, stale: false };
    return value.equals(stored) ? { value: stored, stale: false } : { value, stale: true };
  }

  #convert(value: Buffer, target: CustomRepresentation): Buffer {
    const object = JSON.parse(value.toString()) as KubeObject;
    object.apiVersion = target.apiVersion;
    target.schema.repair(object);
    return target.encodeStored(object);
  }
}
