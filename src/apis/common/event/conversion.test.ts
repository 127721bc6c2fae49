import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { eventsGroupConversion as conversion } from './conversion.ts';

const shown: KubeObject = {
  metadata: { name: 'e' },
  eventTime: '2026-01-02T03:04:05.000000Z',
  reportingController: 'c',
  reportingInstance: 'i',
  regarding: { kind: 'Pod' },
  note: 'text',
  deprecatedSource: { host: 'h' },
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: '2026-01-02T03:04:05Z',
  deprecatedCount: 3,
};

test('an event has the same content under the names of both groups', () => {
  const stored = conversion.toStorage(structuredClone(shown));
  assert.deepEqual(
    [stored.involvedObject, stored.message, stored.source, stored.lastTimestamp, stored.count, stored.reportingComponent],
    [{ kind: 'Pod' }, 'text', { host: 'h' }, '2026-01-02T03:04:05Z', 3, 'c'],
  );
  assert.deepEqual(conversion.fromStorage(stored), shown);
});
