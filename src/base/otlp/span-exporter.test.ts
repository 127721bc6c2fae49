import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OtlpReceiver } from '../../../test/observability/otlp-receiver.ts';
import { ManualClock, systemClock } from '../clock.ts';
import { silentLogger } from '../log.ts';
import { parseTraceParent } from '../tracing/trace-context.ts';
import { Tracer } from '../tracing/tracer.ts';
import { SpanExporter } from './span-exporter.ts';

const remote = parseTraceParent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
const resource = { 'service.name': 'apiserver' };

function tracerOf(exporter: SpanExporter): Tracer {
  return new Tracer({ exporter, samplingRatePerMillion: 0, log: silentLogger, duration: String });
}

test('a collector gets spans with their attributes, events and parents', { timeout: 30_000 }, async () => {
  await using receiver = await OtlpReceiver.start();
  const exporter = new SpanExporter({
    endpoint: receiver.endpoint,
    resource,
    clock: systemClock,
    onTrouble: (error) => assert.fail(String(error)),
  });
  const request = tracerOf(exporter).startRequest(remote, true, performance.now());
  const part = request?.start('Create', { text: 'a', empty: '', number: 3, flag: true });
  part?.event('step', { len: 5 });
  part?.end();
  if (request !== undefined) request.isError = true;
  request?.end();
  await exporter.close();
  assert.deepEqual(
    receiver.spans.map(({ name, parentId, traceId, attributes, events, status, service }) => ({
      name,
      parentId,
      traceId,
      attributes: Object.fromEntries(attributes),
      events: events.map((event) => [event.name, Object.fromEntries(event.attributes)]),
      status,
      service,
    })),
    [
      {
        name: 'Create',
        parentId: request?.context?.spanId,
        traceId: remote?.traceId,
        attributes: { text: 'a', empty: '', number: '3', flag: 'true' },
        events: [['step', { len: '5' }]],
        status: 0,
        service: 'apiserver',
      },
      { name: '', parentId: remote?.spanId, traceId: remote?.traceId, attributes: {}, events: [], status: 2, service: 'apiserver' },
    ],
  );
});

test('a collector that is away costs a bounded number of spans, and no stop', { timeout: 30_000 }, async () => {
  const troubles: number[] = [];
  const clock = new ManualClock();
  const exporter = new SpanExporter({ endpoint: '127.0.0.1:1', resource, clock, onTrouble: (_, dropped) => troubles.push(dropped) });
  const tracer = tracerOf(exporter);
  for (let i = 0; i < 10_000; i++) tracer.startRequest(remote, true, 0)?.end();
  const closed = exporter.close();
  clock.advance(1000);
  await closed;
  assert.equal(clock.timers, 0);
  // One call was under way, 2,048 spans waited; the rest was dropped before.
  assert.deepEqual(troubles, [10_000 - 2048]);
});
