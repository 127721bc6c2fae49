import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { createMemoryStorage } from '../drivers/memory/memory-storage.ts';
import { withTransformer } from '../encryption/with-transformer.ts';
import type { Transformer } from '../encryption/ciphers/transformer.ts';
import { UnavailableError } from '../storage.ts';
import { cacheFamilies } from './cache-metrics.ts';
import type { CacheEntry } from './types.ts';
import { createWatchCache } from './watch-cache.ts';
import { until } from '../../../test/support/eventually.ts';

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
  await until('a is read', () => cache.get('/registry/x/a')?.text === 'one');
  helper.isDown = true;
  await storage.transact([{ type: 'put', key: '/registry/x/b', value: Buffer.from('two') }]);
  await until('b cannot be read', () => cache.corrupt('/registry/x/b') !== undefined);
  helper.isDown = false;
  await until('b is read', () => cache.get('/registry/x/b')?.text === 'two');
});

test('a store that cannot be listed is counted, and listed again', { timeout: 20_000 }, async () => {
  const metrics = new MetricsRegistry();
  const storage = createMemoryStorage();
  const list = storage.list.bind(storage);
  let failures = 1;
  storage.list = (...asked) => (failures-- > 0 ? Promise.reject(new UnavailableError('down')) : list(...asked));
  await using cache = createWatchCache<CacheEntry>(storage, {
    prefix: '/registry/x/',
    decode: ({ key, modRevision }) => ({ key, revision: modRevision, labels: undefined, fields: {} }),
    tombstone: (last, revision) => ({ ...last, revision }),
    clock: systemClock,
    metrics,
    resource: { group: 'g', resource: 'x' },
  });
  await cache.ready();
  const { initializations, initializationErrors } = cacheFamilies(metrics);
  assert.deepEqual([initializations.with('g', 'x').value, initializationErrors.with('g', 'x').value], [1, 1]);
});
