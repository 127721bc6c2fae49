import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { StorageUnavailableError } from '../storage.ts';
import type { Case } from './subject.ts';

export const lifecycleCases: readonly Case[] = [
  {
    name: 'ends a watch quietly when its signal aborts, and keeps nothing of it',
    async run(s) {
      const abort = new AbortController();
      const watch = async (): Promise<void> => {
        for await (const batch of s.storage.watch('/registry/', { signal: abort.signal })) assert.ok(batch.length > 0);
      };
      const watching = Array.from({ length: 20 }, watch);
      await s.put('/registry/a', 'a');
      await turn();
      abort.abort();
      await Promise.all(watching);
      await s.noWatchersLeft();
    },
  },
  {
    name: 'keeps nothing of a watch whose reader leaves the loop',
    async run(s) {
      const revision = await s.storage.currentRevision();
      await s.put('/registry/a', 'a');
      const abort = new AbortController();
      for await (const _batch of s.storage.watch('/registry/', { revision, signal: abort.signal })) break;
      await s.noWatchersLeft();
    },
  },
  {
    name: 'does nothing for a signal that has aborted before',
    async run(s) {
      const signal = AbortSignal.abort(new Error('no longer wanted'));
      await assert.rejects(s.storage.get('/registry/a', { signal }), /no longer wanted/);
      await assert.rejects(s.storage.list('/registry/', { signal }), /no longer wanted/);
      await assert.rejects(s.storage.count('/registry/', { signal }), /no longer wanted/);
      await assert.rejects(s.storage.currentRevision({ signal }), /no longer wanted/);
      const put = { type: 'put', key: '/registry/a', value: Buffer.from('a') } as const;
      await assert.rejects(s.storage.transact([put], { signal }), /no longer wanted/);
      assert.equal(await s.get('/registry/a'), undefined);
      for await (const _batch of s.storage.watch('/registry/', { signal })) assert.fail('an aborted watch yields nothing');
      await s.noWatchersLeft();
    },
  },
  {
    name: 'is healthy while open',
    async run(s) {
      await s.storage.health();
    },
  },
  {
    name: 'refuses work and ends watches when closed',
    async run(s) {
      await s.put('/registry/a', 'a');
      const watching = s.changes('/registry/', 1);
      await turn();
      await Promise.all([assert.rejects(watching, StorageUnavailableError), s.storage[Symbol.asyncDispose]()]);
      await assert.rejects(s.storage.get('/registry/a'), StorageUnavailableError);
      await assert.rejects(s.storage.list('/registry/'), StorageUnavailableError);
      await assert.rejects(s.put('/registry/a', 'b'), StorageUnavailableError);
      await assert.rejects(s.storage.health(), StorageUnavailableError);
      await s.noWatchersLeft();
      await s.storage[Symbol.asyncDispose]();
    },
  },
];
