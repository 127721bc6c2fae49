import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtoReader } from '../grpc/protobuf.ts';
import { MetricsRegistry } from '../metrics.ts';
import { negotiateFormat, renderMetrics, SharedRendering } from './format.ts';
import { metricsText } from './text.ts';

/** Recorded from upstream: Accept, and the content type that came back. */
const negotiations: readonly (readonly [accept: string | undefined, contentType: string])[] = [
  [undefined, 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'],
  ['application/openmetrics-text; version=1.0.0', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'],
  ['application/json', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'],
  ['text/plain;version=0.0.4;escaping=allow-utf-8', 'text/plain; version=0.0.4; charset=utf-8; escaping=allow-utf-8'],
  ['text/plain;version=1.0.0;escaping=allow-utf-8', 'text/plain; version=0.0.4; charset=utf-8; escaping=allow-utf-8'],
  ['text/plain;version=0.0.4;escaping=dots', 'text/plain; version=0.0.4; charset=utf-8; escaping=dots'],
  ['application/vnd.google.protobuf; proto=other; encoding=delimited', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'],
  [
    'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited',
    'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited; escaping=underscores',
  ],
  [
    'text/plain;version=0.0.4;q=0.3,application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.1',
    'text/plain; version=0.0.4; charset=utf-8; escaping=underscores',
  ],
];

test('a client gets the format that upstream would give it', () => {
  for (const [accept, contentType] of negotiations) assert.equal(negotiateFormat(accept).contentType, contentType, accept ?? 'none');
});

interface DecodedHistogram {
  count: number;
  resolution: number | undefined;
  zeros: number;
  spans: { offset: number; length: number }[];
  deltas: number[];
}

async function decodeHistogram(registry: MetricsRegistry): Promise<DecodedHistogram> {
  const bytes = await renderMetrics(registry, true);
  // Below 128 bytes the length before the message is one byte; above it is two.
  const start = (bytes[0] as number) < 0x80 ? 1 : 2;
  const decoded: DecodedHistogram = { count: 0, resolution: undefined, zeros: 0, spans: [], deltas: [] };
  const unsigned = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
  const family = new ProtoReader(bytes, start);
  for (let field = family.next(); field !== 0; field = family.next()) {
    if (field !== 4) {
      family.skip();
      continue;
    }
    const metric = family.message();
    for (let part = metric.next(); part !== 0; part = metric.next()) {
      if (part !== 7) {
        metric.skip();
        continue;
      }
      const histogram = metric.message();
      for (let at = histogram.next(); at !== 0; at = histogram.next()) {
        if (at === 1) decoded.count = histogram.int();
        else if (at === 5) decoded.resolution = unsigned(histogram.int());
        else if (at === 7) decoded.zeros = histogram.int();
        else if (at === 13) decoded.deltas.push(unsigned(histogram.int()));
        else if (at === 12) {
          const span = histogram.message();
          const read = { offset: 0, length: 0 };
          for (let one = span.next(); one !== 0; one = span.next()) {
            if (one === 1) read.offset = unsigned(span.int());
            else read.length = span.int();
          }
          decoded.spans.push(read);
        } else histogram.skip();
      }
    }
  }
  return decoded;
}

test('a histogram has exponential buckets in protobuf, and classic ones beside them', async () => {
  const registry = new MetricsRegistry({ native: true });
  const seconds = registry.histogram({ name: 'seconds', help: '', buckets: [1, 2] }).with();
  for (const value of [0, 1, 1, 2, 1000]) seconds.observe(value);
  // 1 = 2^(0/8) is bucket 0, 2 is bucket 8, 1000 is bucket 80.
  assert.deepEqual(await decodeHistogram(registry), {
    count: 5,
    resolution: 3,
    zeros: 1,
    spans: [
      { offset: 0, length: 1 },
      { offset: 7, length: 1 },
      { offset: 71, length: 1 },
    ],
    deltas: [2, -1, 0],
  });
  assert.match(metricsText(registry), /seconds_bucket\{le="1"\} 3\nseconds_bucket\{le="2"\} 4\n/);
});

test('a histogram that nothing was observed in says that it has exponential buckets', async () => {
  const registry = new MetricsRegistry({ native: true });
  registry.histogram({ name: 'seconds', help: '', buckets: [1] });
  const { count, resolution, spans, deltas } = await decodeHistogram(registry);
  assert.deepEqual({ count, resolution, spans, deltas }, { count: 0, resolution: 3, spans: [{ offset: 0, length: 0 }], deltas: [] });
});

test('buckets become wider when there are too many of them', async () => {
  const registry = new MetricsRegistry({ native: true });
  const seconds = registry.histogram({ name: 'seconds', help: '', buckets: [1] }).with();
  for (let value = 1e-9; value < 1e9; value *= 1.05) seconds.observe(value);
  const { count, resolution, spans, deltas } = await decodeHistogram(registry);
  assert.ok((resolution ?? 3) < 2);
  const buckets = deltas.reduce<number[]>((counts, delta) => [...counts, (counts.at(-1) ?? 0) + delta], []);
  assert.ok(buckets.length <= 160);
  assert.equal(
    buckets.length,
    spans.reduce((sum, { length }) => sum + length, 0),
  );
  assert.equal(
    buckets.reduce((sum, one) => sum + one, 0),
    count,
  );
});

test('without the gate, and for weighted histograms, there are classic buckets only', async () => {
  const plain = new MetricsRegistry();
  plain
    .histogram({ name: 'seconds', help: '', buckets: [1] })
    .with()
    .observe(1);
  assert.equal((await decodeHistogram(plain)).resolution, undefined);
  const weighted = new MetricsRegistry({ native: true });
  weighted
    .histogram({ name: 'seconds', help: '', buckets: [1], weighted: true })
    .with()
    .observe(1, 5);
  assert.equal((await decodeHistogram(weighted)).resolution, undefined);
});

test('many series are written in portions and are all there, in both formats', async () => {
  const registry = new MetricsRegistry();
  const family = registry.counter({ name: 'many', help: 'many', labels: ['n'] });
  for (let n = 0; n < 1000; n++) family.with(String(n)).inc(n);
  const lines = (await renderMetrics(registry, false)).toString().trimEnd().split('\n');
  assert.equal(lines.length, 2 + 1000);
  assert.ok(lines.includes('many{n="999"} 999'));
  const bytes = await renderMetrics(registry, true);
  let metrics = 0;
  // The last byte of the length before the message is the first below 128.
  const message = new ProtoReader(bytes, bytes.findIndex((byte) => byte < 0x80) + 1);
  for (let field = message.next(); field !== 0; field = message.next()) {
    if (field === 4) metrics++;
    message.skip();
  }
  assert.equal(metrics, 1000);
});

test('those that ask while metrics are written share what is written next', async () => {
  let renderings = 0;
  const gates: (() => void)[] = [];
  const shared = new SharedRendering(async () => {
    const number = ++renderings;
    await new Promise<void>((resolve) => gates.push(resolve));
    return Buffer.from(String(number));
  });
  const first = shared.get();
  const later = Array.from({ length: 100 }, () => shared.get());
  gates.shift()?.();
  assert.equal(String(await first), '1');
  while (gates.length === 0) await new Promise((resolve) => setImmediate(resolve));
  gates.shift()?.();
  assert.deepEqual(new Set((await Promise.all(later)).map(String)), new Set(['2']));
  const afterwards = shared.get();
  gates.shift()?.();
  assert.equal(String(await afterwards), '3');
});
