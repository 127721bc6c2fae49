// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go#crdConversionRESTOptionsGetter
import type { Steps } from '../../base/steps.ts';
import { allSteps, stepByStep } from '../../base/steps.ts';
import { largeBytes } from '../../base/turns.ts';
import { parsingExactJson } from '../../machinery/codec/json/parse.ts';
import type { Transformed, Transformer } from '../../storage/encryption/ciphers/transformer.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Converter } from '../conversion/converter.ts';
import type { CustomVersionedKind } from './custom-versioned-kind.ts';

/**
 * What is stored of a definition's objects, each in the version that was the storage version when it was written. What is read is brought up
 * to date with the schema of that version, defaults included: the schema may have changed since. What is written is not: a default that
 * no client asked for goes away with the schema that has it.
 */
export class StoredObjects implements Transformer {
  readonly storage: CustomVersionedKind;
  readonly converter: Converter;
  readonly #versions: ReadonlyMap<string, CustomVersionedKind>;
  /** values by what was stored of them: they need no second look */
  readonly #read = new WeakMap<Buffer, Buffer>();
  /** resolved when what is large has been read */
  #large: Promise<void> = Promise.resolve();
  /** versions of values, where they are not the storage version */
  readonly #others = new WeakMap<Buffer, CustomVersionedKind>();

  constructor(storage: CustomVersionedKind, versions: Iterable<CustomVersionedKind>, converter: Converter) {
    this.storage = storage;
    this.converter = converter;
    this.#versions = new Map([...versions].map((version) => [version.apiVersion, version]));
  }

  /** Whether all versions of an object can be made of what is stored at once, and have the same labels and fields. */
  get areViewedAlike(): boolean {
    return this.converter.isImmediate && this.#versions.size > 1;
  }

  /** `value` is in the storage version. */
  toStorage(value: Buffer): Buffer {
    const own = this.storage.withoutDefaults(value);
    this.#read.set(own, value);
    return own;
  }

  /** In the version in which it was stored, see `versionOf`. */
  fromStorage(stored: Buffer): Transformed | Promise<Transformed> {
    const known = this.#read.get(stored);
    if (known !== undefined) return { value: known, stale: known !== stored };
    return this.atOnceIfSmall(stored, this.#reading(stored));
  }

  /** What is large lets others have their turn; one at a time, or all of them would go on in each. */
  atOnceIfSmall<T>({ length }: Buffer, steps: Steps<T>): T | Promise<T> {
    if (length < largeBytes) return allSteps(steps);
    const done = this.#large.then(() => stepByStep(steps));
    this.#large = done.then(nothing, nothing);
    return done;
  }

  *#reading(stored: Buffer): Steps<Transformed> {
    const object = (yield* parsingExactJson(stored.toString())) as KubeObject;
    yield;
    const version = this.#versions.get(object.apiVersion ?? '');
    if (version === undefined) throw new Error(`request to convert CR from an invalid group/version: ${object.apiVersion ?? ''}`);
    version.schema.repair(object);
    yield;
    version.schema.applyDefaults(object);
    delete object.metadata.resourceVersion;
    delete object.metadata.selfLink;
    yield;
    const repaired = yield* version.encodingAsIs(object);
    const same = repaired.equals(stored);
    const value = same ? stored : repaired;
    if (version !== this.storage) this.#others.set(value, version);
    return { value, stale: version !== this.storage || !same };
  }

  versionOf(value: Buffer): CustomVersionedKind {
    return this.#others.get(value) ?? this.storage;
  }
}

/**
 * Each served version keeps its objects in its own shape; in the store they have the storage version's. With no conversion between
 * versions that means: another apiVersion, and the fields that the other schema knows. Otherwise a webhook is asked.
 */
export class CustomStorageFormat implements Transformer {
  readonly #served: CustomVersionedKind;
  readonly #objects: StoredObjects;
  /** what was stored of values that have been read back */
  readonly #stored = new WeakMap<Buffer, Buffer>();

  constructor(served: CustomVersionedKind, objects: StoredObjects) {
    this.#served = served;
    this.#objects = objects;
  }

  /** Whether what is served is not what is stored. */
  get converts(): boolean {
    return this.#served !== this.#objects.storage;
  }

  toStorage(value: Buffer): Buffer | Promise<Buffer> {
    const known = this.#stored.get(value);
    if (known !== undefined) return known;
    const { storage } = this.#objects;
    return this.converts ? this.#convert(this.#served.withoutDefaults(value), storage) : this.#objects.toStorage(value);
  }

  fromStorage(stored: Buffer): Transformed | Promise<Transformed> {
    return then(this.#objects.fromStorage(stored), (read) => {
      if (this.#objects.versionOf(read.value) === this.#served) return read;
      return then(this.#convert(read.value, this.#served), (value) => ({ value, stale: read.stale }));
    });
  }

  /** What reading will give of a value that is about to be written; the value itself where nothing is converted. */
  async readBack(value: Buffer): Promise<Buffer> {
    const stored = await this.toStorage(value);
    const read = await this.fromStorage(stored);
    this.#stored.set(read.value, stored);
    return read.value;
  }

  /** A value that was read, in the version that is served, where the converter waits for nothing. */
  *convertingAtOnce(value: Buffer): Steps<Buffer> {
    const object = (yield* parsingExactJson(value.toString())) as KubeObject;
    yield;
    return yield* written(this.#objects.converter.convert(object, this.#served.apiVersion) as KubeObject, this.#served);
  }

  #convert(value: Buffer, to: CustomVersionedKind): Buffer | Promise<Buffer> {
    const objects = this.#objects;
    return then(objects.atOnceIfSmall(value, parsingExactJson(value.toString())), (object) =>
      then(objects.converter.convert(object as KubeObject, to.apiVersion), (converted) =>
        objects.atOnceIfSmall(value, written(converted, to)),
      ),
    );
  }
}

function* written(object: KubeObject, version: CustomVersionedKind): Steps<Buffer> {
  version.schema.coerce(object, false);
  yield;
  return yield* version.encodingAsIs(object);
}

function nothing(): void {}

/** At once, unless there is something to wait for. */
function then<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
