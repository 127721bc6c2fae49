import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import type { RunningApiServer } from '../../src/index.ts';
import { startApiServer } from '../../src/index.ts';
import type { Lease } from '../../src/schema/types/coordination-v1.ts';
import { RawClient } from '../support/raw-client.ts';
import { eventually } from '../support/eventually.ts';
import { EtcdProcess } from './etcd-process.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const path = `${leases}/wheelhouse-embedded-controllers`;

async function holderOf(client: RawClient): Promise<string | undefined> {
  const { status, text } = await client.call('GET', path);
  return status === 200 ? (JSON.parse(text) as Lease).spec?.holderIdentity : undefined;
}

/** Whether a controller works: it furnishes new namespaces. */
async function furnished(client: RawClient, name: string): Promise<void> {
  assert.equal((await client.call('POST', '/api/v1/namespaces', { body: { metadata: { name } } })).status, 201);
  await eventually(`account of ${name}`, async () =>
    (await client.call('GET', `/api/v1/namespaces/${name}/serviceaccounts/default`)).status === 200 ? true : undefined,
  );
}

test(
  'one of several servers on one etcd runs the controllers, and another when it stops or is heard of no more',
  { timeout: 120_000 },
  async () => {
    await using etcd = await EtcdProcess.start();
    const start = (clock?: ManualClock): Promise<RunningApiServer> =>
      startApiServer({
        storage: { backend: { etcd: { endpoints: [etcd.endpoint] } } },
        controllers: ['serviceaccount-controller'],
        ...(clock !== undefined && { clock }),
      });
    const first = await start();
    await using second = await start();
    await using watcher = new RawClient(second);
    const leader = await eventually('a first holder', () => holderOf(watcher));
    await furnished(watcher, 'first');
    assert.equal(await holderOf(watcher), leader);

    await first.stop();
    const next = await eventually('a holder after the stop', async () => {
      const holder = await holderOf(watcher);
      return holder === leader ? undefined : holder;
    });
    await furnished(watcher, 'second');
    assert.equal(await holderOf(watcher), next, 'the one that was left');
    const { text: metrics } = await watcher.call('GET', '/metrics');
    assert.match(metrics, /^leader_election_master_status\{name="wheelhouse-embedded-controllers"\} 1$/m);

    // Its clock stands still: for others it is as dead as one that was killed.
    const clock = new ManualClock(Date.now());
    await second.stop();
    await using frozen = await start(clock);
    await using client = new RawClient(frozen);
    const silent = await eventually('a holder with a clock that stands still', () => holderOf(client));
    const later = new ManualClock(Date.now());
    // What two servers write at the same time one of them writes again, a moment later by its clock.
    const moments = setInterval(() => later.advance(50), 20);
    await using heir = await start(later).finally(() => clearInterval(moments));
    await using heard = new RawClient(heir);
    await furnished(heard, 'third');
    assert.equal(await holderOf(heard), silent, 'while its lease has not run out');
    await eventually('a holder after the lease ran out', async () => {
      later.advance(1000);
      return (await holderOf(heard)) === silent ? undefined : true;
    });
    clock.advance(3000);
    await furnished(heard, 'fourth');
  },
);

test(
  'a leader stays the leader when the time is set hours forward and back, on its machine and on others',
  { timeout: 120_000 },
  async () => {
    await using etcd = await EtcdProcess.start();
    const clocks = [new ManualClock(Date.now()), new ManualClock(Date.now())] as const;
    const moments = setInterval(() => clocks.forEach((clock) => clock.advance(100)), 10);
    try {
      const start = (clock: ManualClock): Promise<RunningApiServer> =>
        startApiServer({
          storage: { backend: { etcd: { endpoints: [etcd.endpoint] } } },
          controllers: ['serviceaccount-controller'],
          clock,
        });
      await using leader = await start(clocks[0]);
      await using client = new RawClient(leader);
      const holder = await eventually('a holder', () => holderOf(client));
      await using _other = await start(clocks[1]);
      for (const clock of clocks) {
        for (const hours of [5, -10, 5]) {
          clock.set(clock.now() + hours * 3600_000);
          const until = clocks[0].elapsed() + 20_000;
          while (clocks[0].elapsed() < until) {
            assert.equal(await holderOf(client), holder);
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        }
      }
      const { spec } = JSON.parse((await client.call('GET', path)).text) as Lease;
      assert.equal(spec?.leaseTransitions ?? 0, 0);
      await furnished(client, 'after');
    } finally {
      clearInterval(moments);
    }
  },
);
