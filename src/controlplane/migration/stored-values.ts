import { systemClock } from '../../base/clock.ts';
import { StreamingClient } from '../../base/https/streaming-client.ts';
import { silentLogger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { customResourceDefinitions } from '../../apiextensions/definition/definition.ts';
import { DefinitionProgress } from '../../apiextensions/definition/progress.ts';
import { customValues } from '../../apiextensions/serving/custom-values.ts';
import { isSelfDescribed } from '../../machinery/codec/cbor/codec.ts';
import type { GroupResource } from '../../machinery/errors.ts';
import { servedGroupVersions } from '../../schema/resources.ts';
import { createCodecs } from '../../server/object/create-codecs.ts';
import type { StorageMediaType } from '../../server/object/storage-format.ts';
import type { ResourceFactory } from '../../server/registry/built-in.ts';
import { builtInResources, resourceFacts, storedResource } from '../../server/registry/built-in.ts';
import { TransformedStorage } from '../../server/registry/transformed-storage.ts';
import { Pace } from '../../storage/cache/pace.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import { identityTransformer } from '../../storage/encryption/ciphers/identity.ts';
import type { Transformer } from '../../storage/encryption/ciphers/transformer.ts';
import { completeConfig } from '../config.ts';
import { resourceDefinitions } from '../resources.ts';

export interface StoredValuesOptions {
  /** `/registry` */
  readonly prefix: string;
  /** in etcd; a directory has JSON of our own */
  readonly mediaType: StorageMediaType;
  readonly encryption?: ((resource: GroupResource) => Transformer) | undefined;
}

type Transformers = readonly [format: Transformer, encryption: Transformer];

const unknown: Transformers = [identityTransformer, identityTransformer];

/**
 * Values from the form that one store has them in to that of another. What is encrypted at rest is so in both, each value anew. Keys of no
 * resource that is known here keep their values as they are.
 */
export class StoredValues {
  readonly #prefix: string;
  readonly #builtIn: TransformedStorage;
  readonly #encryption: StoredValuesOptions['encryption'];
  readonly #custom: Transformer;

  constructor({ prefix, mediaType, encryption }: StoredValuesOptions) {
    const codecs = createCodecs();
    const metrics = new MetricsRegistry();
    const config = completeConfig();
    const storage = createMemoryStorage();
    const factory: ResourceFactory = {
      storage,
      codecs,
      metrics,
      clock: systemClock,
      log: silentLogger,
      pace: new Pace(),
      garbageCollection: true,
      storagePrefix: prefix,
    };
    const definitions = [
      ...resourceDefinitions({
        ...config.resources,
        metrics,
        services: { ...config.services, storagePrefix: prefix },
        outgoing: {
          client: new StreamingClient(systemClock),
          kubelets: { ...config.kubelets, authorities: undefined, client: undefined },
        },
      }),
      customResourceDefinitions(codecs, new DefinitionProgress()),
    ];
    this.#prefix = prefix;
    this.#encryption = encryption;
    const custom = customValues(codecs);
    // Servers behind an aggregator may keep theirs in the same place, in a form of their own.
    this.#custom = {
      toStorage: (value, key) => (isJson(value) ? custom.toStorage(value, key) : value),
      fromStorage: (value, key) => (isJson(value) || isSelfDescribed(value) ? custom.fromStorage(value, key) : { value, stale: false }),
    };
    this.#builtIn = new TransformedStorage({
      codecs,
      storage,
      storagePrefix: prefix,
      storageMediaType: mediaType,
      ...(encryption && { encryption }),
    });
    for (const resource of builtInResources(resourceFacts(servedGroupVersions()).values(), definitions, factory)) {
      this.#builtIn.add(storedResource(resource, factory));
    }
  }

  /** A value of etcd as a directory has it. */
  async toDirectory(key: string, value: Buffer): Promise<Buffer> {
    const [, encryption] = this.#at(key);
    return encryption.toStorage(await this.canonical(key, value), key);
  }

  /** A value of a directory as etcd has it. */
  async toEtcd(key: string, value: Buffer): Promise<Buffer> {
    const [format, encryption] = this.#at(key);
    const { value: plain } = await encryption.fromStorage(value, key);
    return encryption.toStorage(await format.toStorage(plain, key), key);
  }

  /** What a value of either store says, in one form for all values that say the same. */
  async canonical(key: string, value: Buffer): Promise<Buffer> {
    const [format, encryption] = this.#at(key);
    const { value: plain } = await encryption.fromStorage(value, key);
    return (await format.fromStorage(plain, key)).value;
  }

  isKnown(key: string): boolean {
    return this.#at(key) !== unknown;
  }

  #at(key: string): Transformers {
    const builtIn = this.#builtIn.transformersAt(key);
    if (builtIn !== undefined) return builtIn;
    const [group = '', resource = ''] = key.slice(this.#prefix.length + 1).split('/', 2);
    // Groups of custom resources have a dot.
    if (!group.includes('.')) return unknown;
    return [this.#custom, this.#encryption?.({ group, resource }) ?? identityTransformer];
  }
}

function isJson(value: Buffer): boolean {
  return value[0] === 0x7b;
}
