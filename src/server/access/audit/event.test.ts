import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSteps } from '../../../base/steps.ts';
import { eventLine, eventLineBytes, eventListBytes, legacyLine } from './event.ts';
import { testEvent } from '../../../../test/support/audit-event.ts';

test('an event is a line of JSON with the keys in the order of upstream, and what is empty left out', () => {
  const event = testEvent({
    requestObject: '{"n":1.50,"t":"<b>"}',
    responseObject: '{"kind":"ConfigMap"}',
    annotations: { z: '1', a: '2' },
  });
  assert.equal(
    eventLine(event),
    '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"id","stage":"ResponseComplete",' +
      '"requestURI":"/api/v1/namespaces/n/configmaps/c?a=1\\u0026b=2","verb":"update",' +
      '"user":{"username":"alice","groups":["a","b"],"extra":{"a":["2"],"z":["1"]}},"sourceIPs":["10.0.0.1"],"userAgent":"judge",' +
      '"objectRef":{"resource":"configmaps","namespace":"n","name":"c","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},' +
      '"requestObject":{"n":1.50,"t":"\\u003cb\\u003e"},"responseObject":{"kind":"ConfigMap"},' +
      '"requestReceivedTimestamp":"2026-11-16T05:00:40.854170Z","stageTimestamp":"2026-11-16T05:00:40.854176Z","annotations":{"a":"2","z":"1"}}\n',
  );
});

test('events of a list do not say what they are', () => {
  const list = JSON.parse(allSteps(eventListBytes([testEvent(), testEvent({ user: undefined })])).toString()) as {
    items: { user: object; kind?: string }[];
  };
  assert.deepEqual(Object.keys(list), ['kind', 'apiVersion', 'metadata', 'items']);
  assert.deepEqual(
    list.items.map(({ kind, user }) => [kind, Object.keys(user).length]),
    [
      [undefined, 3],
      [undefined, 0],
    ],
  );
});

test('a large event is the same line in steps, with no character cut in two', () => {
  const event = testEvent({ requestObject: `"${'<a>'.repeat(200_000)}"`, responseObject: `"x${'\u{1f600}'.repeat(400_000)}"` });
  const steps = eventLineBytes(event);
  let pauses = 0;
  for (let step = steps.next(); ; step = steps.next(), pauses++) {
    if (step.done !== true) continue;
    assert.equal(step.value.toString(), eventLine(event));
    break;
  }
  assert.ok(pauses > 5, `${pauses} pauses`);
});

const legacy = {
  'of a user': [
    testEvent(),
    '2026-11-16T05:00:40.85417Z AUDIT: id="id" stage="ResponseComplete" ip="10.0.0.1" method="update" user="alice" groups="\\"a\\",\\"b\\"" as="<self>" asgroups="<lookup>" user-agent="judge" namespace="n" uri="/api/v1/namespaces/n/configmaps/c?a=1&b=2" response="200"\n',
  ],
  'of nobody, before the answer': [
    testEvent({ user: undefined, objectRef: undefined, responseStatus: undefined, sourceIPs: [], requestURI: '/x', userAgent: '' }),
    '2026-11-16T05:00:40.85417Z AUDIT: id="id" stage="ResponseComplete" ip="<unknown>" method="update" user="<none>" groups="<none>" as="<self>" asgroups="<lookup>" user-agent="" namespace="<none>" uri="/x" response="<deferred>"\n',
  ],
  'of somebody as somebody else': [
    testEvent({ impersonatedUser: { name: 'bob', uid: '', groups: ['g'], extra: {} } }),
    '2026-11-16T05:00:40.85417Z AUDIT: id="id" stage="ResponseComplete" ip="10.0.0.1" method="update" user="alice" groups="\\"a\\",\\"b\\"" as="bob" asgroups="\\"g\\"" user-agent="judge" namespace="n" uri="/api/v1/namespaces/n/configmaps/c?a=1&b=2" response="200"\n',
  ],
} as const;

for (const [name, [event, line]] of Object.entries(legacy)) {
  test(`the legacy line ${name}`, () => assert.equal(legacyLine(event), line));
}
