import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../base/clock.ts';
import type { CustomAdmission } from '../../index.ts';
import { startTestServer } from '../../testing/index.ts';
import { eventually } from '../../../test/support/eventually.ts';

const dayMs = 24 * 3600 * 1000;
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';
const type = 'kubernetes.io/service-account-token';

/** Leaps: timers that fall due several times in between fire once, else those of every second would fire for years. */
class LeapingClock implements Clock {
  #now = Date.parse('2030-01-01T12:00:00Z');
  readonly #timers = new Set<{ readonly due: number; readonly fn: () => void }>();

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now;
  }

  setTimeout(fn: () => void, ms: number): Disposable {
    const timer = { due: this.#now + ms, fn };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }

  leap(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].filter(({ due }) => due <= this.#now)) if (this.#timers.delete(timer)) timer.fn();
  }
}

const controllers = [
  'legacy-serviceaccount-token-cleaner-controller',
  'serviceaccount-token-controller',
  'serviceaccount-controller',
] as const;

test('generated tokens that are not used are marked after a year and go after another', { timeout: 60_000 }, async () => {
  const clock = new LeapingClock();
  await using server = await startTestServer({ clock, controllers });
  const client = server.client();
  const secrets = client.resource('v1', 'Secret', 'default');
  const accounts = client.resource('v1', 'ServiceAccount', 'default');
  await accounts.waitFor('default', (account) => account !== undefined);
  const generated = ['unused', 'used', 'mounted', 'badly-labelled'];
  await accounts.create({ metadata: { name: 'a' }, secrets: generated.map((name) => ({ name })) });
  const labels: Record<string, Record<string, string>> = {
    used: { 'kubernetes.io/legacy-token-last-used': '2030-12-30' },
    'badly-labelled': { 'kubernetes.io/legacy-token-last-used': 'today' },
  };
  for (const name of [...generated, 'by-hand']) {
    const annotations = { 'kubernetes.io/service-account.name': 'a' };
    await secrets.create({ metadata: { name, annotations, labels: labels[name] ?? {} }, type });
    await secrets.waitFor(name, (secret) => secret?.data?.['token'] !== undefined);
  }
  const volumes = [{ name: 'v', secret: { secretName: 'mounted' } }];
  await client
    .resource('v1', 'Pod', 'default')
    .create({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }], volumes } });

  const started = clock.now();
  const marked = await eventually('the secret is marked', async () => {
    clock.leap(10 * dayMs);
    const secret = await secrets.get('unused');
    return secret.metadata.labels?.[invalidSince] === undefined ? undefined : secret;
  });
  assert.ok(clock.now() - started >= 366 * dayMs, `after ${(clock.now() - started) / dayMs} days`);
  const at = Date.parse(marked.metadata.labels?.[invalidSince] ?? '');
  for (const name of ['used', 'mounted', 'badly-labelled', 'by-hand'])
    assert.equal((await secrets.get(name)).metadata.labels?.[invalidSince], undefined, name);
  await eventually('the secret is gone', async () => {
    clock.leap(10 * dayMs);
    const { items } = await secrets.list();
    return items.some(({ metadata }) => metadata.name === 'unused') ? undefined : true;
  });
  assert.ok(clock.now() - at >= 365 * dayMs);
  const { items } = await secrets.list();
  const left = items.map(({ metadata }) => metadata.name);
  for (const name of ['mounted', 'badly-labelled', 'by-hand']) assert.ok(left.includes(name), name);
});

test('a token that another writer changes while it is removed goes too, and not a day later', { timeout: 60_000 }, async () => {
  const clock = new LeapingClock();
  const { promise: contested, resolve: contest } = Promise.withResolvers<void>();
  let write: () => Promise<unknown> = async () => {};
  const other: CustomAdmission = {
    name: 'OtherWriter',
    async validate({ operation, resource }) {
      if (operation !== 'DELETE' || resource !== 'secrets') return;
      await write();
      contest();
    },
  };
  await using server = await startTestServer({ clock, controllers, admission: { others: [other] } });
  const client = server.client();
  const secrets = client.resource('v1', 'Secret', 'default');
  const accounts = client.resource('v1', 'ServiceAccount', 'default');
  await accounts.waitFor('default', (account) => account !== undefined);
  await accounts.create({ metadata: { name: 'a' }, secrets: [{ name: 't' }] });
  const annotations = { 'kubernetes.io/service-account.name': 'a' };
  await secrets.create({ metadata: { name: 't', annotations, labels: { [invalidSince]: '2022-01-01' } }, type });
  await secrets.waitFor('t', (secret) => secret?.data?.['token'] !== undefined);
  write = async () => {
    write = async () => {};
    const secret = await secrets.get('t');
    await secrets.update({ ...secret, data: { ...secret.data, more: 'eA==' } });
  };

  clock.leap(400 * dayMs);
  await contested;
  assert.equal((await secrets.get('t')).data?.['more'], 'eA==');
  await eventually('it is gone', async () => {
    clock.leap(1000);
    const { items } = await secrets.list();
    return items.some(({ metadata }) => metadata.name === 't') ? undefined : true;
  });
});
