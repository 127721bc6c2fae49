import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { createMemoryStorage } from '../drivers/memory/memory-storage.ts';
import { withTransformer } from '../encryption/with-transformer.ts';
import type { Transformer } from '../encryption/ciphers/transformer.ts';
import { UnavailableError } from '../storage.ts';
import type { CacheEntry } from './types.ts';
import { createWatchCache } from './watch-cache.ts';

/** Passes values on, unless it is down. */
class Helper implements Transformer {
  isDown = true;

  toStorage(value: Buffer): Buffer {
    return value;
  }

  async fromStorage(value: Buffer): Promise<{ value: Buffer; stale: boolean }> {
    if (this.isDown) throw new UnavailableError('down');
    return { value, stale: false };
  }
}

test('what could not be read is read as soon as that is possible', { timeout: 20_000 }, async () => {
  const helper = new Helper();
  const storage = withTransformer(createMemoryStorage(), () => helper);
  await storage.transact([{ type: 'put', key: '/registry/x/a', value: Buffer.from('one') }]);
  await using cache = createWatchCache<CacheEntry & { text: string }>(storage, {
    prefix: '/registry/x/',
    decode: ({ key, modRevision, value }) => ({ key, revision: modRevision, labels: undefined, fields: {}, text: value.toString() }),
    tombstone: (last, revision) => ({ ...last, revision }),
    clock: systemClock,
  });
  await cache.ready();
  assert.equal(cache.corrupt('/registry/x/a')?.error.message, 'down');
  helper.isDown = false;
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await until(() => cache.get('/registry/x/a')?.text === 'one');
  helper.isDown = true;
  await storage.transact([{ type: 'put', key: '/registry/x/b', value: Buffer.from('two') }]);
  await until(() => cache.corrupt('/registry/x/b') !== undefined);
  helper.isDown = false;
  await until(() => cache.get('/registry/x/b')?.text === 'two');
});
