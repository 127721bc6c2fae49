import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceFactory } from '../../../test/support/resource-factory.ts';
import { conflict, isReason } from '../../machinery/errors.ts';
import { servedGroupVersions } from '../../schema/resources.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import type { Storage, WatchItem } from '../../storage/storage.ts';
import { testContext } from '../../../test/support/write-context.ts';
import { builtInResources, resourceFacts } from './built-in.ts';
import type { DeleteOptions, ValidateDelete } from './delete.ts';
import { deleteObject } from './delete.ts';
import type { KubeObject } from './definition.ts';
import type { Resource } from './resource.ts';

/** ConfigMaps whose cache can be kept from following the store; reads of the store are counted. */
class World implements AsyncDisposable {
  readonly #memory = createMemoryStorage();
  readonly resource: Resource;
  reads = 0;
  #isHeld = false;

  constructor() {
    const factory = resourceFactory(this.#storage());
    const core = servedGroupVersions().filter(({ group }) => group === '');
    this.resource = builtInResources(resourceFacts(core).values(), [], factory).find(({ kind }) => kind === 'ConfigMap') as Resource;
  }

  #storage(): Storage {
    const isHeld = (): boolean => this.#isHeld;
    async function* following(batches: AsyncIterable<readonly WatchItem[]>): AsyncGenerator<readonly WatchItem[]> {
      for await (const batch of batches) if (!isHeld()) yield batch;
    }
    return new Proxy(this.#memory as Storage, {
      get: (memory, name: keyof Storage) => {
        if (name === 'watch') return (...args: Parameters<Storage['watch']>) => following(memory.watch(...args));
        if (name === 'get') this.reads++;
        const member: unknown = memory[name];
        return typeof member === 'function' ? (member.bind(memory) as unknown) : member;
      },
    });
  }

  /** One that the cache has seen. */
  async create(finalizers: readonly string[] = []): Promise<void> {
    const { store } = this.resource;
    const metadata = { name: 'x', namespace: 'default', finalizers: [...finalizers] };
    const { revision } = await store.create({ kind: 'ConfigMap', apiVersion: 'v1', metadata }, testContext());
    await store.cache.waitFor(revision);
  }

  /** Does something that the cache does not get to see. */
  async unseen(act: () => Promise<unknown>): Promise<void> {
    this.#isHeld = true;
    await act();
    this.reads = 0;
  }

  delete(options: DeleteOptions = {}, validate?: ValidateDelete): Promise<unknown> {
    return deleteObject(this.resource, 'x', options, testContext(), validate);
  }

  update(change: (object: KubeObject) => KubeObject): Promise<unknown> {
    return this.resource.store.update('x', testContext(), { transform: (object) => change(structuredClone(object as KubeObject)) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.resource.store.cache[Symbol.asyncDispose]();
    await this.#memory[Symbol.asyncDispose]();
  }
}

test('an object that the cache has is deleted without reading it from the store', async () => {
  await using world = new World();
  await world.create();
  world.reads = 0;
  await world.delete();
  assert.equal(world.reads, 0);
});

test('an object that is gone is not found, though the cache still has it', async () => {
  await using world = new World();
  await world.create();
  await world.unseen(() => world.delete());
  await assert.rejects(world.delete(), (error) => isReason(error, 'NotFound'));
});

test('preconditions are those of the newest state, though the cache has an older one', async () => {
  await using world = new World();
  await world.create();
  const older = String(world.resource.store.cache.revision);
  await world.unseen(() => world.update((object) => ({ ...object, data: { changed: 'yes' } })));
  await assert.rejects(world.delete({ preconditions: { resourceVersion: older } }), (error) => isReason(error, 'Conflict'));
  const { kv } = await world.resource.store.storage.get('/registry/configmaps/default/x');
  await world.delete({ preconditions: { resourceVersion: String(kv?.modRevision) } });
});

test('a finalizer that the cache has not seen keeps the object', async () => {
  await using world = new World();
  await world.create();
  await world.unseen(() => world.update((object) => ({ ...object, metadata: { ...object.metadata, finalizers: ['example.com/stays'] } })));
  await world.delete();
  assert.ok((await world.resource.store.getCurrent('default', 'x'))?.value.includes('deletionTimestamp'));
});

test('admission is asked once about a deletion that it refuses', async () => {
  await using world = new World();
  await world.create();
  let asked = 0;
  const refuse = (): never => {
    asked++;
    throw conflict(world.resource.groupResource, 'x', 'no');
  };
  await assert.rejects(world.delete({}, refuse), (error) => isReason(error, 'Conflict'));
  assert.equal(asked, 1);
});

test('an object is parsed once for its deletion, and again for those of admission who look at it', async (t) => {
  await using world = new World();
  const parse = t.mock.method(world.resource.store, 'parse');
  for (const finalizers of [[], ['example.com/stays']]) {
    await world.create(finalizers);
    parse.mock.resetCalls();
    await world.delete({}, () => {});
    assert.equal(parse.mock.callCount(), 1);
  }
  let seen: KubeObject | undefined;
  await world.delete({}, (old) => void (seen = old()));
  assert.equal(seen?.metadata.name, 'x');
});

test('what waits to be deleted is not written again, and the newest state says so', async () => {
  await using world = new World();
  await world.create(['example.com/stays']);
  await world.unseen(() => world.delete());
  const before = await world.resource.store.storage.currentRevision();
  await world.delete();
  assert.equal(await world.resource.store.storage.currentRevision(), before);
});
