import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { silentLogger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { conflict } from '../../machinery/errors.ts';
import { RetryError, WorkQueue } from './work-queue.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A queue that runs, what it dealt with and when, and a way to stop it. */
function start(process: (key: string) => Promise<void> = async () => {}, log: Logger = silentLogger) {
  const clock = new ManualClock();
  const dealt: string[] = [];
  const stopping = new AbortController();
  const queue = new WorkQueue<string>({
    name: 'test',
    metrics: new MetricsRegistry(),
    clock,
    log,
    workers: 2,
    longestDelayMs: 30,
    async process(key) {
      dealt.push(`${key}@${clock.now()}`);
      await process(key);
    },
  });
  const running = queue.run(stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  return { queue, clock, dealt, stop };
}

async function advance(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed++) {
    clock.advance(1);
    await turn();
  }
}

describe('WorkQueue', () => {
  test('deals once with a key that was added several times', async () => {
    const { queue, dealt, stop } = start();
    await turn();
    queue.add('a');
    queue.add('b');
    queue.add('b');
    queue.add('c');
    queue.add('c');
    await turn();
    await stop();
    assert.deepEqual(dealt, ['a@0', 'b@0', 'c@0', 'b@0']);
  });

  test('never deals with a key twice at a time, nor with more keys than it has workers', async () => {
    const waiting = new Map<string, () => void>();
    const { queue, dealt, stop } = start((key) => new Promise((resolve) => waiting.set(key, resolve)));
    await turn();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    queue.add('a');
    await turn();
    assert.deepEqual(dealt, ['a@0', 'b@0']);
    waiting.get('a')?.();
    await turn();
    assert.deepEqual(dealt, ['a@0', 'b@0', 'c@0']);
    waiting.get('b')?.();
    await turn();
    assert.deepEqual(dealt, ['a@0', 'b@0', 'c@0', 'a@0']);
    for (const resolve of waiting.values()) resolve();
    await stop();
  });

  test('brings back what failed, later each time, until it succeeds', async () => {
    let failures = 5;
    const { queue, clock, dealt, stop } = start(async () => {
      if (failures-- > 0) throw new Error('not yet');
    });
    await turn();
    queue.add('a');
    await turn();
    await advance(clock, 200);
    assert.deepEqual(dealt, ['a@0', 'a@5', 'a@15', 'a@35', 'a@65', 'a@95']);
    failures = 1;
    queue.add('a');
    await turn();
    await advance(clock, 10);
    assert.deepEqual(dealt.slice(6), ['a@200', 'a@205'], 'a success is a new beginning');
    await stop();
  });

  test('waits as long as a RetryError says', async () => {
    let asked = false;
    const { queue, clock, dealt, stop } = start(async () => {
      if (!asked) {
        asked = true;
        throw new RetryError('soon', 7);
      }
    });
    await turn();
    queue.add('a');
    await turn();
    await advance(clock, 20);
    assert.deepEqual(dealt, ['a@0', 'a@7']);
    await stop();
  });

  test('logs failures, but neither conflicts nor a RetryError', async () => {
    const lines: string[] = [];
    const errors: Error[] = [new Error('broken'), conflict({ group: '', resource: 'pods' }, 'p', 'changed'), new RetryError('later')];
    const log = {
      ...silentLogger,
      error: (_: string, fields?: object) =>
        lines.push(JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? value.message : value))),
    };
    const { queue, clock, stop } = start(async () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
    }, log);
    await turn();
    queue.add('a');
    await turn();
    await advance(clock, 100);
    assert.deepEqual(lines, ['{"key":"a","err":"broken"}']);
    await stop();
  });

  test('addAfter() keeps the earlier time, and add() makes it now', async () => {
    const { queue, clock, dealt, stop } = start();
    await turn();
    queue.addAfter('a', 20);
    queue.addAfter('a', 10);
    queue.addAfter('a', 30);
    queue.addAfter('b', 10);
    queue.add('b');
    await turn();
    await advance(clock, 40);
    assert.deepEqual(dealt, ['b@0', 'a@10']);
    await stop();
  });

  test('begins when everything that it depends on is known, and not before', async () => {
    const known = Promise.withResolvers<void>();
    const dealt: string[] = [];
    const stopping = new AbortController();
    const queue = new WorkQueue<string>({
      name: 'test',
      metrics: new MetricsRegistry(),
      clock: new ManualClock(),
      log: silentLogger,
      process: async (key) => void dealt.push(key),
    });
    const running = queue.run(stopping.signal, known.promise);
    queue.add('a');
    await turn();
    assert.deepEqual(dealt, []);
    known.resolve();
    await turn();
    assert.deepEqual(dealt, ['a']);
    stopping.abort();
    await running;
  });

  test('stops when what is under way has ended, and leaves no timer', async () => {
    const blocked = Promise.withResolvers<void>();
    const { queue, clock, dealt, stop } = start(() => blocked.promise);
    await turn();
    queue.add('a');
    queue.addAfter('b', 5);
    await turn();
    let stopped = false;
    const stopping = stop().then(() => (stopped = true));
    await turn();
    assert.equal(stopped, false);
    blocked.reject(new Error('too late to try again'));
    await stopping;
    assert.equal(clock.timers, 0);
    assert.deepEqual(dealt, ['a@0']);
  });

  test('ends at once where it has been stopped before it ran, whatever it depends on', { timeout: 10_000 }, async () => {
    const clock = new ManualClock();
    const queue = new WorkQueue<string>({
      name: 'test',
      metrics: new MetricsRegistry(),
      clock,
      log: silentLogger,
      process: () => Promise.reject(new Error('nothing is to be done')),
    });
    queue.add('a');
    await queue.run(AbortSignal.abort(), new Promise(() => {}));
  });
});
