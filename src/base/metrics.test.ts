import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFloat, metricsText as render } from './exposition/text.ts';
import { MetricsRegistry } from './metrics.ts';

test('metrics are written in the text format, sorted by name and labels', () => {
  const registry = new MetricsRegistry();
  const requests = registry.counter({ name: 'requests_total', help: 'Requests\nby verb.', labels: ['verb', 'code'], stability: 'STABLE' });
  requests.with('GET', '200').inc();
  requests.with('GET', '200').inc(2);
  requests.with('"\\\n', '500').inc();
  registry.gauge({ name: 'inflight', help: 'Requests in flight.', deprecated: '1.30.0' }).with().set(-1.5);
  assert.equal(
    render(registry),
    `# HELP inflight [ALPHA] (Deprecated since 1.30.0) Requests in flight.
# TYPE inflight gauge
inflight -1.5
# HELP requests_total [STABLE] Requests\\nby verb.
# TYPE requests_total counter
requests_total{code="200",verb="GET"} 3
requests_total{code="500",verb="\\"\\\\\\n"} 1
`,
  );
});

test('a histogram counts each observation in every bucket that reaches it', () => {
  const registry = new MetricsRegistry();
  const seconds = registry.histogram({ name: 'seconds', help: 'Time.', labels: ['verb'], buckets: [0.1, 1, 2_000_000], stability: 'BETA' });
  for (const value of [0.05, 0.1, 0.5, 3e6]) seconds.with('GET').observe(value);
  assert.equal(
    render(registry),
    `# HELP seconds [BETA] Time.
# TYPE seconds histogram
seconds_bucket{verb="GET",le="0.1"} 2
seconds_bucket{verb="GET",le="1"} 3
seconds_bucket{verb="GET",le="2e+06"} 3
seconds_bucket{verb="GET",le="+Inf"} 4
seconds_sum{verb="GET"} 3.00000065e+06
seconds_count{verb="GET"} 4
`,
  );
});

test('a child is the same object each time, and an observed metric without children is not shown', () => {
  const registry = new MetricsRegistry();
  const family = registry.counter({ name: 'a', help: '', labels: ['x', 'y'] });
  assert.equal(render(registry), '');
  assert.equal(family.with('1', '2'), family.with('1', '2'));
  assert.notEqual(family.with('1', '2'), family.with('12', ''));
  family.reset();
  assert.equal(render(registry), '');
});

test('collectors run before each rendering', () => {
  const registry = new MetricsRegistry();
  const gauge = registry.gauge({ name: 'objects', help: 'Objects.' });
  let count = 0;
  registry.onCollect(() => gauge.with().set(++count));
  render(registry);
  assert.match(render(registry), /^objects 2$/m);
});

test('disabled metrics are not shown and a name can be taken once', () => {
  const registry = new MetricsRegistry({ disabled: ['b'] });
  registry.counter({ name: 'b', help: '' }).with().inc();
  assert.equal(render(registry), '');
  assert.throws(() => registry.gauge({ name: 'b', help: '' }), { message: 'metric b is registered twice' });
});

test('parts that count the same thing share a family', () => {
  const registry = new MetricsRegistry();
  for (const kind of ['a', 'b', 'a'])
    registry
      .counter({ name: 'loads', help: '', labels: ['kind'] })
      .with(kind)
      .inc();
  assert.match(render(registry), /loads\{kind="a"\} 2\nloads\{kind="b"\} 1\n/);
  assert.throws(() => registry.counter({ name: 'loads', help: '', labels: ['other'] }), { message: 'metric loads is registered twice' });
});

test('floats are written as Go writes them', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0'],
    [-1, '-1'],
    [0.1, '0.1'],
    [999999, '999999'],
    [1e6, '1e+06'],
    [1234567, '1.234567e+06'],
    [1794792363.123, '1.794792363123e+09'],
    [1.23e25, '1.23e+25'],
    [0.0001, '0.0001'],
    [0.000012, '1.2e-05'],
    [NaN, 'NaN'],
    [Infinity, '+Inf'],
    [-Infinity, '-Inf'],
  ];
  for (const [value, text] of cases) assert.equal(formatFloat(value), text);
});

const release = { major: 1, minor: 37 };

test('what is deprecated for too long is hidden unless it is asked for', () => {
  const shown = (showHidden: boolean): string[] => {
    const registry = new MetricsRegistry({ release, showHidden });
    for (const [name, stability, deprecated] of [
      ['stable_late', 'STABLE', '1.35.0'],
      ['stable_early', 'STABLE', '1.34.0'],
      ['beta', 'BETA', '1.36.0'],
      ['beta_late', 'BETA', '1.37.0'],
      ['alpha', 'ALPHA', '1.37.0'],
    ] as const)
      registry.counter({ name, help: '', stability, deprecated });
    const text = render(registry);
    assert.match(text, new RegExp(`^hidden_metrics_total ${showHidden ? 0 : 3}$`, 'm'));
    return (text.match(/^\w+ 0$/gm) ?? []).filter((line) => /alpha|beta|stable/.test(line));
  };
  assert.deepEqual(shown(false), ['beta_late 0', 'stable_late 0']);
  assert.equal(shown(true).length, 5);
});

test('values of labels that are not allowed are counted together', () => {
  const allowedValues = new Map([['requests', new Map([['verb', new Set(['GET'])]])]]);
  const registry = new MetricsRegistry({ release, allowedValues });
  const requests = registry.counter({ name: 'requests', help: '', labels: ['verb', 'code'] });
  for (const verb of ['GET', 'made-up', 'other', '']) requests.with(verb, '200').inc();
  const text = render(registry);
  assert.match(text, /^requests\{code="200",verb="GET"\} 1\nrequests\{code="200",verb="unexpected"\} 3$/m);
  assert.match(text, /^cardinality_enforcement_unexpected_categorizations_total 3$/m);
});

test('after everything was cleared, children that are kept count on, and show when they do', () => {
  const registry = new MetricsRegistry();
  const kept = registry.counter({ name: 'requests', help: '', labels: ['verb'] }).with('GET');
  const total = registry.counter({ name: 'total', help: '' }).with();
  kept.inc();
  total.inc();
  registry.clear();
  assert.equal(render(registry), '# HELP total [ALPHA] \n# TYPE total counter\ntotal 0\n');
  kept.inc();
  assert.match(render(registry), /^requests\{verb="GET"\} 1$/m);
});

test('a set of families is made once for a registry', () => {
  let made = 0;
  const set = (registry: MetricsRegistry): object => ({ of: registry, made: ++made });
  const [one, other] = [new MetricsRegistry(), new MetricsRegistry()];
  assert.equal(one.of(set), one.of(set));
  assert.notEqual(one.of(set), other.of(set));
  assert.equal(made, 2);
});

test('families that are registered on the first look are made once, and what a part has counted in one before is kept', () => {
  const registry = new MetricsRegistry();
  const spare = { name: 'spare_total', help: 'Spare.' };
  let times = 0;
  registry.onFirstLook(() => {
    times++;
    registry.counter(spare);
    registry.counter({ name: 'unused_total', help: 'Unused.' });
  });
  registry.counter(spare).with().inc(3);
  assert.equal(times, 0);
  const names = ['spare_total', 'unused_total'];
  assert.deepEqual(
    registry.collect().map(({ options }) => options.name),
    names,
  );
  assert.deepEqual(
    registry.definitions.map(({ options }) => options.name),
    names,
  );
  assert.match(render(registry), /^spare_total 3$/m);
  assert.equal(times, 1);
});
