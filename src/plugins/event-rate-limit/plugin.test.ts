import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { eventRateLimit } from './plugin.ts';

const limited = (...limits: readonly object[]): PluginHarness =>
  new PluginHarness(eventRateLimit, {
    configuration: { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration', limits },
  });
const event = (name: string): object => ({ metadata: { name: 'e' }, involvedObject: { kind: 'Pod', name }, source: { component: 'c' } });
const ask = (plugin: PluginHarness, more: { namespace?: string; about?: string; dryRun?: boolean } = {}): Promise<string | undefined> =>
  plugin.ask({ about: '/events', kind: 'Event', object: event('a'), ...more });

test('a namespace may burst, and then go on at the steady rate', async () => {
  const plugin = limited({ type: 'Namespace', qps: 2, burst: 2 });
  const refused = 'Too many requests: limit reached on type Namespace for key ns';
  assert.deepEqual([await ask(plugin), await ask(plugin), await ask(plugin)], [undefined, undefined, refused]);
  assert.equal(await ask(plugin, { namespace: 'other' }), undefined);
  plugin.clock.advance(500);
  assert.deepEqual([await ask(plugin), await ask(plugin)], [undefined, refused]);
});

test('all limits that are reached are named', async () => {
  const plugin = limited({ type: 'Server', qps: 1, burst: 1 }, { type: 'SourceAndObject', qps: 1, burst: 1 });
  await ask(plugin);
  assert.equal(
    await ask(plugin),
    'Too many requests: [limit reached on type Server for key , limit reached on type SourceAndObject for key cPoda]',
  );
});

test('the key that was not used for longest is forgotten', async () => {
  const plugin = limited({ type: 'Namespace', qps: 1, burst: 1, cacheSize: 1 });
  await ask(plugin);
  await ask(plugin, { namespace: 'other' });
  assert.equal(await ask(plugin), undefined);
});

test('dry runs and events of the other group do not count', async () => {
  const plugin = limited({ type: 'Server', qps: 1, burst: 1 });
  for (const more of [{ dryRun: true }, { about: 'events.k8s.io/events' }, {}]) assert.equal(await ask(plugin, more), undefined);
});

const faults: readonly (readonly [limits: unknown, message: string])[] = [
  [undefined, 'limits: Invalid value: null: must not be empty'],
  [[], 'limits: Invalid value: []: must not be empty'],
  [
    [{ type: 'Foo', qps: 0, burst: -1, cacheSize: -2 }],
    '[limits[0].type: Unsupported value: "Foo": supported values: "Server", "Namespace", "User", "SourceAndObject", limits[0].burst: Invalid value: -1: must be positive, limits[0].qps: Invalid value: 0: must be positive, limits[0].cacheSize: Invalid value: -2: must not be negative]',
  ],
];
for (const [limits, message] of faults) {
  test(`limits ${JSON.stringify(limits)} are refused at the start`, () => {
    const configuration = { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration', limits };
    assert.throws(() => new PluginHarness(eventRateLimit, { configuration }), {
      message: `failed to apply admission: couldn't init admission plugin "EventRateLimit": ${message}`,
    });
  });
}
