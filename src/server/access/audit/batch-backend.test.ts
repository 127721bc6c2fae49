import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { ManualClock } from '../../../base/clock.ts';
import { BatchBackend } from './batch-backend.ts';
import type { BatchOptions } from './batch-backend.ts';
import { KeepingBackend, testEvent, testReports } from '../../../../test/support/audit-event.ts';

function batching(options: Partial<BatchOptions> = {}) {
  const clock = new ManualClock();
  const kept = new KeepingBackend();
  const { reports, failures, metrics } = testReports();
  const all = { bufferSize: 5, maxBatchSize: 2, maxBatchWait: 1000, isConcurrent: false, ...options };
  const backend = new BatchBackend(kept, all, reports, clock);
  const give = (...ids: string[]): boolean => backend.process(ids.map((auditID) => testEvent({ auditID })));
  return { clock, kept, backend, give, failures, metrics };
}

test('a full batch goes at once, the rest after a while', async () => {
  const { clock, kept, give } = batching();
  give('1', '2', '3');
  await turn();
  assert.deepEqual(kept.ids, [['1', '2']]);
  clock.advance(1000);
  await turn();
  assert.deepEqual(kept.ids, [['1', '2'], ['3']]);
});

test('what does not fit into the buffer is lost and counted, but the request goes on', async () => {
  const { kept, give, failures, metrics, backend } = batching();
  assert.equal(give('1', '2', '3', '4', '5', '6', '7'), true);
  assert.match(
    failures[0] ?? '',
    /^Error in audit plugin 'buffered' affecting 2 audit events: audit buffer queue blocked\nImpacted events:\n/,
  );
  assert.match(metrics(), /apiserver_audit_error_total\{plugin="buffered"\} 2/);
  // Two are on their way.
  assert.match(metrics(), /wheelhouse_audit_buffered_events 3/);
  await backend.close();
  assert.match(metrics(), /wheelhouse_audit_buffered_events 0/);
  assert.deepEqual(kept.ids.flat(), ['1', '2', '3', '4', '5']);
});

test('closing sends what waits, and takes nothing more', async () => {
  const { kept, give, failures, backend } = batching({ maxBatchSize: 100 });
  give('1', '2', '3');
  await backend.close();
  assert.deepEqual(kept.ids, [['1', '2', '3']]);
  assert.equal(kept.closed, true);
  give('4');
  assert.match(failures[0] ?? '', /audit backend shut down/);
});

test('events with large objects go in batches of their own, and are lost where too many wait', async () => {
  const { kept, backend, failures } = batching({ bufferSize: 100, maxBatchSize: 50, throttle: { qps: 0.001, burst: 1 } });
  const large = 'x'.repeat(5 * 1024 * 1024);
  const give = (auditID: string): boolean => backend.process([testEvent({ auditID, requestObject: large, responseObject: undefined })]);
  give('1');
  await turn();
  assert.deepEqual(kept.ids, []);
  give('2');
  await turn();
  assert.deepEqual(kept.ids, [['1']]);
  for (let index = 3; index <= 60; index++) give(`${index}`);
  assert.match(failures[0] ?? '', /audit buffer queue blocked/);
  // 256 MiB, of which the first has been sent
  assert.equal(failures.length, 60 - 52);
});

test('a throttle lets a burst go, then waits for its rate', async () => {
  const { clock, kept, give } = batching({ maxBatchSize: 1, throttle: { qps: 2, burst: 2 } });
  give('1', '2', '3', '4');
  await turn();
  assert.deepEqual(kept.ids, [['1'], ['2']]);
  clock.advance(500);
  await turn();
  assert.deepEqual(kept.ids, [['1'], ['2'], ['3']]);
  clock.advance(500);
  await turn();
  assert.deepEqual(kept.ids, [['1'], ['2'], ['3'], ['4']]);
});
