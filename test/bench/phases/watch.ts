import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { Contender } from '../contender.ts';
import { Sample } from '../figures.ts';
import { interleave, loadRow } from '../phase.ts';
import type { Phase, Target } from '../phase.ts';
import { createNamespace } from '../subject.ts';
import { configMaps } from '../subjects/config-maps.ts';

/** Watchers, and writes in one round: a hundredth of the deliveries is those of a hundredth of the writes, and one write says nothing. */
const fanOuts = [
  { watchers: 1, writes: 1000 },
  { watchers: 50, writes: 2000, cpuRatio: 0.15 },
  { watchers: 500, writes: 1000, cpuRatio: 0.35 },
];
const deliveryLimitMs = 30_000;

/** Writes one after the other while all watch; the operation is one event delivered to one watcher. */
export async function fanOut(contender: Contender, namespace: string, watchers: number, writes: number, round: number): Promise<Sample> {
  const sample = new Sample();
  const sent: number[] = [];
  let missing = watchers * writes;
  const done = Promise.withResolvers<void>();
  const path = `${configMaps.collection(namespace)}?watch=true&resourceVersion=0&labelSelector=round%3Dr${round}`;
  const watch = (client: Client): Promise<unknown> => {
    let seen = 0;
    return client.watch(path, () => {
      sample.latencies.push(performance.now() - (sent[seen++] as number));
      if (--missing === 0) done.resolve();
    });
  };
  const write = async ([writer]: readonly Client[]): Promise<Sample> => {
    await sleep(200);
    const cpuBefore = contender.cpuMs();
    const started = performance.now();
    for (let index = 0; index < writes; index++) {
      sent.push(performance.now());
      await createForRound(writer as Client, namespace, round, index);
    }
    const late = setTimeout(() => done.reject(new Error(`${contender.name}: ${missing} events were not delivered`)), deliveryLimitMs);
    await done.promise;
    clearTimeout(late);
    sample.seconds = (performance.now() - started) / 1000;
    sample.cpuMs = contender.cpuMs() - cpuBefore;
    sample.operations = watchers * writes;
    return sample;
  };
  const run = async (clients: readonly Client[]): Promise<Sample> => {
    await Promise.all(clients.map(watch));
    return contender.withClients(1, write);
  };
  return contender.withClients(watchers, run);
}

/** The label keeps the objects of earlier rounds out of a round's watches. */
function createForRound(client: Client, namespace: string, round: number, index: number): Promise<number> {
  const metadata = { name: `item-${round}-${index}`, labels: { round: `r${round}` } };
  const bytes = JSON.stringify({ metadata, data: { config: 'x'.repeat(700) } });
  return client.request('POST', configMaps.collection(namespace), { type: 'application/json', bytes });
}

export const watch: Phase = {
  name: 'watch',
  async *run({ contenders, effort, onEtcd }) {
    for (const { watchers, writes, cpuRatio } of fanOuts) {
      const namespace = `watch-${watchers}`;
      for (const contender of Object.values(contenders)) {
        await contender.withClients(1, ([client]) => createNamespace(client as Client, namespace, configMaps));
      }
      const rounds = await interleave(contenders, effort.rounds, (contender, round) =>
        fanOut(contender, namespace, watchers, writes, round),
      );
      const ratioAtMost = onEtcd ? 0.35 : cpuRatio;
      const targets: readonly Target[] = ratioAtMost === undefined ? [] : [{ metric: 'cpu', ratioAtMost }];
      yield loadRow(`watch, ${watchers} watcher${watchers === 1 ? '' : 's'}`, rounds, targets);
    }
  },
};
