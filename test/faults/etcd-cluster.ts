/**
 * `node test/faults/etcd-cluster.ts [seconds of outage, default 60] [seconds per other fault, default 6]`
 *
 * A cluster of three etcd members, sixteen writers and two watches through one storage, while members are killed, frozen, cut off and
 * restarted, history is compacted, and finally the whole cluster is away. Afterwards: every acknowledged write is there, the watches saw
 * each change once and in order, and health said no while nothing could be written. Nothing is restarted on our side.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { CompactedError, StorageUnavailableError } from '../../src/storage/storage.ts';
import { EtcdCluster } from '../etcd/etcd-cluster.ts';

const outageSeconds = Number(process.argv[2] ?? 60);
const faultSeconds = Number(process.argv[3] ?? 6);
const prefix = '/registry/faults/';
const writers = 16;

interface Acknowledged {
  readonly value: number;
  readonly revision: number;
}

/** Counts up one key, knowing for sure or not whether each step happened. */
class Writer {
  readonly key: string;
  readonly #storage: EtcdStorage;
  /** every acknowledged step, in order */
  readonly acknowledged: Acknowledged[] = [];
  /** values whose fate was unknown when the call failed */
  readonly uncertain = new Set<number>();
  /** values that were reported as surely not written */
  readonly refused = new Set<number>();
  #next = 1;

  constructor(storage: EtcdStorage, name: number) {
    this.#storage = storage;
    this.key = `${prefix}w${String(name).padStart(2, '0')}`;
  }

  async run(signal: AbortSignal): Promise<void> {
    let expect = 0;
    while (!signal.aborted) {
      const value = this.#next++;
      try {
        const result = await this.#storage.transact([{ type: 'put', key: this.key, value: Buffer.from(String(value)), expect }]);
        if (result.succeeded) {
          this.acknowledged.push({ value, revision: result.revision });
          expect = result.revision;
        } else {
          expect = result.values[0]?.modRevision ?? 0;
        }
      } catch (error) {
        assert.ok(error instanceof StorageUnavailableError, String(error));
        (error.outcomeUnknown ? this.uncertain : this.refused).add(value);
        await sleep(50);
      }
    }
  }
}

interface Seen {
  readonly key: string;
  readonly value: number;
  readonly revision: number;
}

class Watcher {
  readonly seen: Seen[] = [];
  relists = 0;

  async run(storage: EtcdStorage, from: number, signal: AbortSignal): Promise<void> {
    let revision = from;
    while (!signal.aborted) {
      try {
        for await (const batch of storage.watch(prefix, { revision, signal })) {
          for (const item of batch) {
            if (item.type !== 'put') continue;
            revision = item.kv.modRevision;
            this.seen.push({ key: item.kv.key, value: Number(item.kv.value.toString()), revision });
          }
        }
      } catch (error) {
        if (!(error instanceof CompactedError)) throw error;
        this.relists++;
        revision = error.compactRevision;
      }
    }
  }
}

async function main(): Promise<void> {
  await using cluster = await EtcdCluster.start();
  await using storage = await openEtcdStorage({ endpoints: cluster.endpoints, compactionIntervalMs: 0, requestTimeoutMs: 8000 });
  const start = await storage.currentRevision();
  const stop = new AbortController();
  const stopWatching = new AbortController();
  const all = Array.from({ length: writers }, (_, i) => new Writer(storage, i));
  const watchers = [new Watcher(), new Watcher()];
  const running = Promise.all(all.map((writer) => writer.run(stop.signal)));
  const watching = Promise.all(watchers.map((watcher) => watcher.run(storage, start, stopWatching.signal)));
  const count = (): number => all.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);

  /** Runs a fault for a while and tells how many writes got through meanwhile and how long the first one took afterwards. */
  const fault = async (
    name: string,
    begin: () => Promise<void> | void,
    end: () => Promise<void> | void,
    seconds = faultSeconds,
  ): Promise<number> => {
    await begin();
    const before = count();
    await sleep(seconds * 1000);
    const during = count() - before;
    await end();
    const healed = performance.now();
    const goal = count() + writers;
    while (count() < goal) {
      await sleep(10);
      assert.ok(performance.now() - healed < 60_000, `no writes within a minute after ${name}`);
    }
    console.log(`${name}: ${during} writes in ${seconds} s, back to writing after ${Math.round(performance.now() - healed)} ms`);
    return during;
  };
  const member = (i: number) => cluster.members[i] as (typeof cluster.members)[number];

  await fault(
    'nothing',
    () => undefined,
    () => undefined,
    3,
  );
  for (const who of ['follower', 'leader'] as const) {
    const leader = await cluster.leader();
    const victim = who === 'leader' ? leader : (leader + 1) % 3;
    assert.ok(
      (await fault(
        `killed ${who}`,
        () => member(victim).stop('SIGKILL'),
        () => member(victim).start(),
      )) > 0,
    );
  }
  for (const who of ['follower', 'leader'] as const) {
    const leader = await cluster.leader();
    const victim = who === 'leader' ? leader : (leader + 1) % 3;
    assert.ok(
      (await fault(
        `cut-off ${who}`,
        () => cluster.cut(victim),
        () => cluster.heal(),
        faultSeconds * 2,
      )) > 0,
    );
  }
  const frozen = await cluster.leader();
  await fault(
    'frozen leader',
    () => member(frozen).signal('SIGSTOP'),
    () => member(frozen).signal('SIGCONT'),
    faultSeconds * 2,
  );
  await fault(
    'compaction to the newest revision, ten times',
    async () => {
      for (let i = 0; i < 10; i++) {
        await storage.compact(await storage.currentRevision());
        await sleep(100);
      }
    },
    () => undefined,
    1,
  );

  const outage = fault(
    `outage of all members`,
    async () => {
      await Promise.all(cluster.members.map((one) => one.stop('SIGKILL')));
      await sleep(Math.min(3, outageSeconds / 2) * 1000);
      await assert.rejects(storage.health(), /error getting data from etcd/, 'health must be red during the outage');
    },
    async () => {
      await Promise.all(cluster.members.map((one) => one.start({ wait: false })));
    },
    outageSeconds,
  );
  assert.equal(await outage, 0);
  await storage.health();

  await sleep(1000);
  stop.abort();
  await running;
  const last = Math.max(...all.map(({ acknowledged }) => acknowledged.at(-1)?.revision ?? 0));
  for (let i = 0; i < 500 && watchers.some(({ seen }) => (seen.at(-1)?.revision ?? 0) < last); i++) await sleep(20);
  stopWatching.abort();
  await watching;
  verify(all, watchers, start, await storage.list(prefix));
}

function verify(
  all: readonly Writer[],
  watchers: readonly Watcher[],
  start: number,
  final: { items: readonly { key: string; value: Buffer }[] },
): void {
  const state = new Map(final.items.map(({ key, value }) => [key, Number(value.toString())]));
  let acknowledged = 0;
  let uncertain = 0;
  let happened = 0;
  for (const writer of all) {
    const last = writer.acknowledged.at(-1);
    assert.ok(last !== undefined, `${writer.key} was never written`);
    const value = state.get(writer.key);
    assert.ok(
      value === last.value || (value !== undefined && value > last.value && writer.uncertain.has(value)),
      `${writer.key} is ${value}, acknowledged was ${last.value}`,
    );
    acknowledged += writer.acknowledged.length;
    uncertain += writer.uncertain.size;
  }
  for (const [i, watcher] of watchers.entries()) {
    let last = start;
    const byRevision = new Map<number, Seen>();
    for (const change of watcher.seen) {
      assert.ok(change.revision > last, `watch ${i} saw revision ${change.revision} after ${last}`);
      last = change.revision;
      byRevision.set(change.revision, change);
    }
    let missed = 0;
    for (const writer of all) {
      for (const { value, revision } of writer.acknowledged) {
        if (byRevision.get(revision)?.value !== value) missed++;
      }
    }
    assert.ok(watcher.relists > 0 || missed === 0, `watch ${i} missed ${missed} acknowledged writes`);
    for (const { key, value } of watcher.seen) {
      const writer = all.find((one) => one.key === key) as Writer;
      assert.ok(!writer.refused.has(value), `${key}=${value} happened, though it was reported as surely not written`);
      if (i === 0 && writer.uncertain.has(value)) happened++;
    }
    console.log(`watch ${i}: ${watcher.seen.length} changes in order, ${missed} missed, ${watcher.relists} times behind the compaction`);
  }
  console.log(`${acknowledged} acknowledged writes, none lost; ${uncertain} with unknown outcome, of which ${happened} happened`);
}

await main();
