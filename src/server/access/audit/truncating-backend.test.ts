import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLine } from './event.ts';
import { KeepingBackend, testEvent, testReports } from '../../../../test/support/audit-event.ts';
import { TruncatingBackend } from './truncating-backend.ts';

const size = eventLine(testEvent()).length;
const large = { requestObject: JSON.stringify('x'.repeat(200)), responseObject: '{}' };

test('objects are left out of events that are too large', async () => {
  const kept = new KeepingBackend();
  const backend = new TruncatingBackend(kept, { maxEventSize: size + 60, maxBatchSize: 10_000 }, testReports().reports);
  assert.equal(await backend.process([testEvent(large), testEvent({ requestObject: '{}' })]), true);
  const [[cut, whole] = []] = kept.batches;
  assert.deepEqual(
    [cut?.requestObject, cut?.responseObject, cut?.annotations],
    [undefined, undefined, { 'audit.k8s.io/truncated': 'true' }],
  );
  assert.deepEqual([whole?.requestObject, whole?.annotations], ['{}', undefined]);
});

test('what is too large even so is lost and counted', async () => {
  const kept = new KeepingBackend();
  const { reports, failures } = testReports();
  const backend = new TruncatingBackend(kept, { maxEventSize: 100, maxBatchSize: 10_000 }, reports);
  assert.equal(await backend.process([testEvent(large), testEvent({ level: 'Metadata' })]), true);
  assert.deepEqual(kept.batches, []);
  assert.match(failures[0] ?? '', /^Error in audit plugin 'truncate' affecting 2 audit events: event is too large even after truncating\n/);
});

test('batches that are too large are cut', async () => {
  const kept = new KeepingBackend();
  const backend = new TruncatingBackend(kept, { maxEventSize: 10_000, maxBatchSize: size * 2 }, testReports().reports);
  await backend.process(['1', '2', '3'].map((auditID) => testEvent({ auditID })));
  await backend.close();
  assert.deepEqual(kept.ids, [['1', '2'], ['3']]);
  assert.equal(kept.closed, true);
});
