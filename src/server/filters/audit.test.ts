import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import { notFound, unauthorized } from '../../machinery/errors.ts';
import type { Policy } from '../../schema/types/audit-v1.ts';
import { Auditor } from '../access/audit/auditor.ts';
import { PolicyRules } from '../access/audit/policy-rules.ts';
import { KeepingBackend, testReports } from '../../../test/support/audit-event.ts';
import { Connection } from '../http/connection.ts';
import { Request } from '../http/request.ts';
import type { BodySink, Handler, Response, StreamBody } from '../http/response.ts';
import { textResponse } from '../http/response.ts';
import { createCodecs } from '../object/create-codecs.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { requestInfo } from '../request/request-info.ts';
import type { AuthenticatedRequest, ParsedRequest } from '../request/stages.ts';
import { authenticated, identified, parsed } from '../request/stages.ts';
import { withAudit, withFailedAuthenticationAudit } from './audit.ts';
import { ErrorRenderer } from './errors.ts';

const codecs = createCodecs();
const errors = new ErrorRenderer(codecs, silentLogger);

function auditing(rule: Partial<NonNullable<Policy['rules']>[0]> = {}) {
  const backend = new KeepingBackend();
  const { reports, metrics } = testReports();
  const rules = new PolicyRules({ metadata: {}, rules: [{ level: 'RequestResponse', ...rule }] });
  const auditor = new Auditor(codecs, rules, { backend, reports, clock: new ManualClock(Date.UTC(2026, 0, 1)) });
  return { backend, auditor, metrics, events: () => backend.batches.flat() };
}

function requestFor(target: string): AuthenticatedRequest {
  return authenticated(parsedFor(target), { name: 'alice', uid: '', groups: [], extra: {} });
}

function parsedFor(target: string): ParsedRequest {
  const source = {
    method: 'GET',
    target,
    protocol: 'HTTP/2.0',
    headers: {},
    connection: new Connection(undefined),
    readBody: async () => Buffer.alloc(0),
    body: undefined,
    onClose() {},
  } as const;
  const request = new Request(source, performance.now());
  const info = requestInfo('GET', request.path, request.rawQuery) as RequestInfo;
  return Object.assign(parsed(identified(request, 'the-id'), info), { routed: true });
}

const sink: BodySink = { write: () => true, drained: async () => {}, pending: 0, closed: false, onClose() {} };
const json = (text: string): Response => ({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) });
const get = (): AuthenticatedRequest => requestFor('/api/v1/namespaces/n/configmaps/c');

test('a request is recorded when it comes and when it is answered', async () => {
  const { auditor, events, metrics } = auditing();
  const response = await withAudit(auditor, errors)(() => json('{"kind":"ConfigMap", "apiVersion":"v1"}\n'))(get());
  assert.equal(String(response.body), '{"kind":"ConfigMap", "apiVersion":"v1"}\n');
  assert.deepEqual(
    events().map(({ auditID, stage, responseStatus, responseObject }) => [auditID, stage, responseStatus, responseObject]),
    [
      ['the-id', 'RequestReceived', undefined, undefined],
      ['the-id', 'ResponseComplete', { code: 200 }, '{"kind":"ConfigMap","apiVersion":"v1"}'],
    ],
  );
  assert.match(metrics(), /apiserver_audit_event_total 2\n/);
  assert.match(metrics(), /apiserver_audit_level_total\{level="RequestResponse"\} 1\n/);
});

test('what the policy does not want recorded goes by', () => {
  const { auditor, events } = auditing({ level: 'None' });
  const answer = json('{}');
  assert.equal(withAudit(auditor, errors)(() => answer)(get()), answer);
  assert.deepEqual(events(), []);
});

for (const [level, expected] of [
  ['Metadata', ['always']],
  ['Request', ['always', 'request']],
] as const) {
  test(`what is noted at the level of requests is ${expected.length === 1 ? 'not ' : ''}in a log of level ${level}`, async () => {
    const { auditor, events } = auditing({ level });
    const request = get();
    const handler = withAudit(
      auditor,
      errors,
    )((asked) => {
      asked.audit?.annotate('test/always', '');
      asked.audit?.annotate('test/request', '', 'Request');
      return json('{}');
    });
    await handler(request);
    const noted = Object.keys(events().at(-1)?.annotations ?? {}).filter((key) => key.startsWith('test/'));
    assert.deepEqual(
      noted,
      expected.map((key) => `test/${key}`),
    );
  });
}

test('stages that are omitted are not recorded', async () => {
  const { auditor, events } = auditing({ omitStages: ['RequestReceived'] });
  await withAudit(auditor, errors)(() => json('{}'))(get());
  assert.deepEqual(
    events().map(({ stage }) => stage),
    ['ResponseComplete'],
  );
});

test('an error is an answer', async () => {
  const { auditor, events } = auditing({ level: 'Metadata' });
  const refuse: Handler = () => {
    throw notFound({ group: '', resource: 'configmaps' }, 'c');
  };
  assert.equal((await withAudit(auditor, errors)(refuse)(get())).status, 404);
  const status = events().at(-1)?.responseStatus;
  assert.deepEqual([status?.code, status?.reason, status?.message], [404, 'NotFound', 'configmaps "c" not found']);
});

test('a fault of ours is recorded as a panic and passed on', async () => {
  const { auditor, events } = auditing();
  const fail: Handler = () => {
    throw new TypeError('x is undefined');
  };
  await assert.rejects(async () => withAudit(auditor, errors)(fail)(get()), TypeError);
  const last = events().at(-1);
  assert.deepEqual(
    [last?.stage, last?.responseStatus?.message, last?.responseStatus?.code],
    ['Panic', "APIServer panic'd: x is undefined", 500],
  );
});

test('what cannot be recorded is not served', async () => {
  const { auditor, backend, metrics } = auditing();
  backend.succeeds = false;
  const response = await withAudit(auditor, errors)(() => json('{}'))(get());
  assert.equal(response.status, 500);
  assert.equal(String(response.body), 'Internal Server Error: "/api/v1/namespaces/n/configmaps/c": failed to store audit event\n');
  assert.match(metrics(), /apiserver_audit_requests_rejected_total 1\n/);
});

test('a watch is recorded when it starts, and again when it ends, also in failure', async () => {
  for (const fails of [false, true]) {
    const { auditor, events } = auditing();
    const ended = Promise.withResolvers<void>();
    const response = await withAudit(auditor, errors)(() => ({ status: 200, headers: {}, body: () => ended.promise }))(
      requestFor('/api/v1/configmaps?watch=1'),
    );
    const stages = (): string[] => events().map(({ stage }) => stage);
    assert.deepEqual(stages(), ['RequestReceived', 'ResponseStarted']);
    const over = (response.body as StreamBody)(sink);
    if (fails) ended.reject(new Error('gone'));
    else ended.resolve();
    await (fails ? assert.rejects(over) : over);
    assert.deepEqual(stages(), ['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  }
});

test('a request that takes long is recorded with what took how long', async () => {
  const { auditor, events } = auditing();
  const request = get();
  Object.defineProperty(request, 'receivedAt', { value: performance.now() - 1500 });
  await withAudit(
    auditor,
    errors,
  )(() => {
    request.audit?.begins('authorization');
    request.audit?.ends('authorization');
    return json('{}');
  })(request);
  assert.deepEqual(Object.keys(events().at(-1)?.annotations ?? {}), [
    'apiserver.latency.k8s.io/authentication',
    'apiserver.latency.k8s.io/authorization',
    'apiserver.latency.k8s.io/total',
  ]);
  assert.match(events().at(-1)?.annotations?.['apiserver.latency.k8s.io/authorization'] ?? '', /^\d.*s$/);
  assert.match(events().at(-1)?.annotations?.['apiserver.latency.k8s.io/total'] ?? '', /^1\.\d+s$/);
});

test('a list that is sent in pieces is recorded whole', async () => {
  const { auditor, events } = auditing();
  const body: StreamBody = async (to) => {
    for (const piece of ['{"kind":"ConfigMapList",', '"apiVersion":"v1","items":[]}']) to.write(Buffer.from(piece));
  };
  const list = { status: 200, headers: { 'content-type': 'application/json' }, body };
  const response = await withAudit(auditor, errors)(() => list)(requestFor('/api/v1/configmaps'));
  assert.equal(events().at(-1)?.responseObject, '{"kind":"ConfigMapList","apiVersion":"v1","items":[]}');
  assert.equal(String(response.body), '{"kind":"ConfigMapList","apiVersion":"v1","items":[]}');
});

test('what is no object of the API is not recorded', async () => {
  const { auditor, events } = auditing();
  await withAudit(auditor, errors)(() => textResponse(200, 'ok'))(requestFor('/healthz'));
  await withAudit(auditor, errors)(() => json('{"major":"1"}'))(requestFor('/version'));
  assert.deepEqual(
    events().map(({ responseObject }) => responseObject),
    [undefined, undefined, undefined, undefined],
  );
});

test('who cannot be authenticated is recorded as nobody, once', async () => {
  const { auditor, events } = auditing();
  const refuse: Handler = () => {
    throw unauthorized('Unauthorized');
  };
  const request = parsedFor('/api/v1/namespaces/n/configmaps/c');
  assert.equal((await withFailedAuthenticationAudit(auditor, errors)(refuse)(request)).status, 401);
  assert.deepEqual(
    events().map(({ stage, user, responseStatus }) => [stage, user, responseStatus?.code]),
    [['ResponseStarted', undefined, 401]],
  );
});
