import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventObject } from './validation.ts';
import { validateEvent, validateStrictCreate, validateStrictUpdate } from './validation.ts';

const event = (fields: Partial<EventObject> = {}): EventObject =>
  ({
    metadata: { name: 'e', namespace: 'd', resourceVersion: '1' },
    involvedObject: { kind: 'Pod', namespace: 'd', name: 'p' },
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: '2026-01-02T03:04:05.000000Z',
    reason: 'Started',
    action: 'Starting',
    type: 'Normal',
    reportingComponent: 'example.com/controller',
    reportingInstance: 'i',
    ...fields,
  }) as EventObject;

const lenient: readonly (readonly [what: string, fields: Partial<EventObject>, errors: readonly string[]])[] = [
  ['an old-style event needs no more than its namespace', { eventTime: null, reason: '', action: '', reportingComponent: '' }, []],
  [
    'an old-style event lives where its object does',
    { eventTime: null, involvedObject: { namespace: 'other' } },
    ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
  ],
  [
    'a new-style event tells who reports it',
    { reportingInstance: '', action: 'x'.repeat(129) },
    ['reportingInstance: Required value', 'action: Invalid value: "": can have at most 128 characters'],
  ],
];

for (const [what, fields, errors] of lenient) {
  test(what, () => assert.deepEqual(validateEvent(event(fields), 'reportingComponent').map(String), errors));
}

test('events.k8s.io refuses what only old-style events have', () => {
  const errors = validateStrictCreate(event({ eventTime: null, count: 1, type: 'Odd', source: { host: 'h' } }));
  assert.deepEqual(errors.map(String), [
    'eventTime: Required value',
    'type: Invalid value: "": has invalid value: Odd',
    'count: Invalid value: "": needs to be unset',
    'source: Invalid value: "": needs to be unset',
  ]);
});

test('of an event in events.k8s.io only the series may change', () => {
  const old = event();
  assert.deepEqual(validateStrictUpdate(event({ series: { count: 2, lastObservedTime: '2026-01-02T03:04:06.000000Z' } }), old), []);
  assert.deepEqual(validateStrictUpdate(event({ series: { count: 1, lastObservedTime: null }, reason: 'Other' }), old).map(String), [
    'series.count: Invalid value: "": should be at least 2',
    'series.lastObservedTime: Required value',
    'reason: Invalid value: "Other": field is immutable',
  ]);
});

test('times of an event stay as they are', () => {
  const later = event({ lastTimestamp: '2026-01-02T03:04:06Z' });
  const [error] = validateStrictUpdate(later, event());
  assert.equal(String(error), 'lastTimestamp: Invalid value: "2026-01-02T03:04:06Z": field is immutable');
});

test('a changed reference is shown as upstream shows its own structs', () => {
  const [error] = validateStrictUpdate(event({ involvedObject: { kind: 'Node', namespace: 'd' } }), event());
  assert.equal(
    String(error),
    'involvedObject: Invalid value: {"Kind":"Node","Namespace":"d","Name":"","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
  );
});
