import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { Contender } from '../contender.ts';
import { applyLoad } from '../load.ts';
import type { Phase, Row } from '../phase.ts';
import { create, createNamespace, list, verbs } from '../subject.ts';
import { pods } from '../subjects/pods.ts';

const size = 11_000;
const namespace = 'loaded';
const clientCount = 32;
const forms = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/json;as=Table;v=v1;g=meta.k8s.io'];
const listsOfEach = 3;
/** idle, after a load that had what upstream needs four times as much for */
const ratioAtMost = 0.25;

async function fill(contender: Contender): Promise<void> {
  await contender.withClients(clientCount, async (clients) => {
    await createNamespace(clients[0] as Client, namespace, pods);
    await applyLoad(contender, clients, { count: size }, (client, index) => create(client, pods, namespace, `item-${index}`));
    for (const accept of forms) {
      await applyLoad(contender, clients.slice(0, 1), { count: listsOfEach }, (client) => list(client, pods, namespace, accept));
    }
    await applyLoad(contender, clients, { count: size }, (client, index) =>
      verbs['merge patch'](client, pods, { namespace, name: `item-${index}` }, `loaded-${index}`),
    );
  });
}

/** What is resident after everything, with pods on top: created, listed in all forms, changed. Then after so many minutes without a request. */
export const loaded: Phase = {
  name: 'loaded',
  async *run({ contenders, restMinutes }) {
    for (const contender of Object.values(contenders)) await fill(contender);
    const row = (name: string): Row => ({
      name,
      metrics: ['memory'],
      ours: { memory: contenders.ours.residentMegabytes() },
      reference: { memory: contenders.reference.residentMegabytes() },
      targets: [{ metric: 'memory', ratioAtMost }],
    });
    yield row(`loaded: ${size.toLocaleString('en')} pods`);
    let rested = 0;
    for (const minutes of restMinutes) {
      await sleep((minutes - rested) * 60_000);
      rested = minutes;
      yield row(`loaded: ${minutes} minute${minutes === 1 ? '' : 's'} later`);
    }
  },
};
