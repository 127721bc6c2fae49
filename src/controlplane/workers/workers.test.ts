import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ManualClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { until } from '../../../test/support/eventually.ts';
import type { FurtherThreadData } from './thread.ts';
import { Workers } from './workers.ts';

/** A thread that is ready, and ends when it is asked to, or when `fails`. Messages are kind (0: call, 1: result, 3: notice), id, name and value. */
const thread = `
  const { workerData: { data, fails } } = require('node:worker_threads');
  if (fails) throw new Error('as if it had run out of memory');
  data.port.on('message', (messages) => {
    for (let at = 0; at < messages.length; at += 4) {
      const [kind, id, name] = messages.slice(at, at + 3);
      if (kind !== 0) continue;
      data.port.postMessage([1, id, '', name === 'metrics' ? [] : undefined]);
      if (name === 'stop') data.port.close();
    }
  });
  data.port.postMessage([3, 0, 'ready', undefined]);
`;

test('a thread that ends is started again, is missed meanwhile, and all stop with the server', async () => {
  const clock = new ManualClock(0);
  const metrics = new MetricsRegistry();
  const errors: string[] = [];
  const log = { ...silentLogger, error: (message: string) => void errors.push(message) };
  let starts = 0;
  const start = (data: FurtherThreadData): Worker =>
    new Worker(thread, { eval: true, workerData: { data, fails: ++starts === 1 }, transferList: [data.port] });
  const workers = new Workers({ further: 1, start, host: undefined }, { clock, log, metrics });
  const started = workers.startHook(Promise.resolve({ address: '127.0.0.1', family: 'IPv4', port: 1 })).run(new AbortController().signal);
  await until('the thread has ended', () => errors.length > 0);
  assert.deepEqual(errors, ['a thread of the server has ended and is started again']);
  assert.throws(() => workers.healthCheck.check(undefined as never), /1 of 2 threads are not ready/);
  clock.advance(1000);
  await started;
  await workers.healthCheck.check(undefined as never);
  const merged = await workers.metrics();
  assert.equal(
    merged
      .collect()
      .find(({ options }) => options.name === 'wheelhouse_worker_restarts_total')
      ?.children()
      [Symbol.iterator]()
      .next().value?.[1].value,
    1,
  );
  await workers.stop();
  assert.equal(starts, 2);
});
