import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { createLogger } from '../logging/create-logger.ts';
import { jsonFormat } from '../logging/json-format.ts';
import { Verbosity } from '../logging/verbosity.ts';
import { activeSpan, inSpan, startSpan, traceHeaders } from './active-span.ts';
import { slowTraces } from './slow-trace.ts';
import type { Span } from './span.ts';
import { parseTraceParent, traceParentText } from './trace-context.ts';
import { Tracer } from './tracer.ts';

const header = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('traceparent', () => {
  test('is read and written', () => {
    const context = parseTraceParent(header, 'vendor=1');
    assert.deepEqual(context, {
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      isSampled: true,
      state: 'vendor=1',
    });
    assert.equal(traceParentText(context), header);
  });

  for (const wrong of [
    '',
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
    '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01',
    `${header}-more`,
    `${header}x`,
    `${'0'.repeat(100_000)}`,
  ]) {
    test(`is not ${wrong.slice(0, 60)}`, () => assert.equal(parseTraceParent(wrong), undefined));
  }
});

function tracerOf(verbosity: number, exporting = true, samplingRatePerMillion = 0) {
  const spans: Span[] = [];
  const lines: string[] = [];
  const log = createLogger({ verbosity: new Verbosity(verbosity), format: jsonFormat, write: (line) => lines.push(line), now: () => 0 });
  const exporter = exporting ? { add: (span: Span) => void spans.push(span) } : undefined;
  return { tracer: new Tracer({ exporter, samplingRatePerMillion, log, duration: (ms) => `${ms}ms` }), spans, lines };
}

describe('what is recorded', () => {
  const sampled = parseTraceParent(header);
  const unsampled = parseTraceParent(header.replace(/1$/, '0'));

  test('nothing without a collector, at low verbosity, for a request of no trace', () => {
    assert.equal(tracerOf(1, false).tracer.startRequest(undefined, true, 0), undefined);
    assert.equal(tracerOf(1).tracer.startRequest(undefined, true, 0), undefined);
  });

  test('a trace that a trusted client has begun goes on; that of any other is linked at most', () => {
    const { tracer } = tracerOf(0, true, 1_000_000);
    assert.equal(tracer.startRequest(sampled, true, 0)?.parentId, '00f067aa0ba902b7');
    const other = tracer.startRequest(sampled, false, 0);
    assert.equal(other?.parentId, '');
    assert.notEqual(other?.context?.traceId, sampled?.traceId);
    assert.equal(other?.link, sampled);
    assert.equal(tracerOf(0).tracer.startRequest(sampled, false, 0), undefined);
  });

  test('a trace that is not sampled is passed on and not exported', () => {
    const { tracer, spans } = tracerOf(0, true, 1_000_000);
    const span = tracer.startRequest(unsampled, true, 0);
    assert.deepEqual(traceHeaders(span), { traceparent: header.replace(/1$/, '0') });
    inSpan(span, () => startSpan('part')?.end());
    span?.end();
    assert.deepEqual(spans, []);
  });

  test('baggage is passed on from wherever a request has got to, with a trace and without', () => {
    const { tracer } = tracerOf(0);
    const alone = tracer.startRequest(undefined, false, 0, 'a=b');
    assert.deepEqual(traceHeaders(alone?.start('part')), { baggage: 'a=b' });
    const traced = tracer.startRequest(sampled, true, 0, 'a=b')?.start('part');
    assert.deepEqual(Object.keys(traceHeaders(traced)), ['baggage', 'traceparent']);
  });

  test('parts of a request are found wherever it goes, until it has ended', async () => {
    const { tracer, spans } = tracerOf(0);
    const request = tracer.startRequest(sampled, true, 0);
    let late: Span | undefined;
    const loop = inSpan(request, async () => {
      await sleep(1);
      startSpan('part', () => ({ a: 1 }))?.end();
      await sleep(50);
      late = activeSpan();
    });
    await sleep(20);
    request?.end();
    await loop;
    assert.equal(late, undefined, 'what goes on after the request is no part of it');
    assert.deepEqual(
      spans.map(({ name, parentId }) => [name, parentId]),
      [
        ['part', request?.context?.spanId],
        ['', '00f067aa0ba902b7'],
      ],
    );
  });

  test('slow operations are logged with their steps, from verbosity 2 on', async () => {
    const { tracer, lines } = tracerOf(2, false);
    const request = tracer.startRequest(undefined, true, 0);
    const verb = request?.start('Create', { verb: 'POST' });
    verb?.event('quick');
    await sleep(30);
    verb?.event('slow', { len: 3 });
    const nested = verb?.start('Create etcd3', { key: '/x' });
    await sleep(30);
    nested?.event('Txn call succeeded');
    nested?.end(20);
    verb?.end(40);
    assert.equal(lines.length, 1);
    const { msg, v } = JSON.parse(lines[0] as string) as { msg: string; v: number };
    assert.equal(v, 2);
    assert.match(
      msg,
      /^Trace\[(\d+)\]: "Create" verb:POST \(\d\d-[A-Z][a-z]{2}-\d{4} [\d:.]+\) \(total time: \d+ms\):\nTrace\[\1\]: ---"slow" len:3 \d+ms \([\d:.]+\)\nTrace\[\1\]: \["Create etcd3" key:\/x \d+ms \([\d:.]+\)\nTrace\[\1\]: {2}---"Txn call succeeded" \d+ms \([\d:.]+\)\]\nTrace\[\1\]: \[[\d.]+ms\] \[[\d.]+ms\] END\n$/,
    );
    assert.doesNotMatch(msg, /quick/);
  });

  test('a slow part of a quick operation is logged alone', async () => {
    const { tracer } = tracerOf(2, false);
    const verb = tracer.startRequest(undefined, true, 0)?.start('Create');
    const part = verb?.start('part');
    await sleep(20);
    part?.end(10);
    verb?.end(500);
    const options = { showsAll: false, duration: String, number: () => 7 };
    assert.match(slowTraces(verb as Span, options).join(''), /^Trace\[7\]: "part" \(/);
  });
});
