import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client, WatchEvent } from './client.ts';
import { follow } from './client.ts';
import { runController } from './controller.ts';

const nobody: Client = {
  get: () => Promise.reject(new Error('there is no server')),
  apply: () => Promise.reject(new Error('there is no server')),
  async *watch() {},
};

test('a controller that ends or fails begins anew after a pause, until it is told to stop', async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const started: number[] = [];
  const run = async (): Promise<void> => {
    started.push(clock.now());
    if (started.length === 1) throw new Error('once');
  };
  const running = runController({ name: 'c', run }, { client: nobody, log: silentLogger, signal: stop.signal }, clock);
  for (const _ of [1, 2]) {
    while (clock.timers === 0) await new Promise(setImmediate);
    clock.advance(1000);
  }
  while (clock.timers === 0) await new Promise(setImmediate);
  stop.abort();
  await running;
  assert.deepEqual(started, [0, 1000, 2000]);
  assert.equal(clock.timers, 0);
});

test('follow() tells of what is there, then of what is new or changed, and ends with the watch', async () => {
  const named = (name: string): KubeObject => ({ metadata: { name } });
  const events: WatchEvent[] = [
    { type: 'ADDED', object: named('b') },
    { type: 'BOOKMARK', object: named('') },
    { type: 'DELETED', object: named('a') },
    { type: 'MODIFIED', object: named('b') },
    { type: 'ERROR', object: named('gone') },
    { type: 'ADDED', object: named('never') },
  ];
  const watched: string[] = [];
  const client: Client = {
    ...nobody,
    get: async () => ({ metadata: { resourceVersion: '7' }, items: [named('a')] }),
    async *watch(path, resourceVersion) {
      watched.push(`${path} ${resourceVersion}`);
      yield* events;
    },
  };
  const seen: (string | undefined)[] = [];
  for await (const { metadata } of follow(client, '/things', new AbortController().signal)) seen.push(metadata.name);
  assert.deepEqual(seen, ['a', 'b', 'b']);
  assert.deepEqual(watched, ['/things 7']);
});
