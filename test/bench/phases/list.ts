import type { Client } from '../client.ts';
import type { Contender } from '../contender.ts';
import { applyLoad } from '../load.ts';
import { interleave, total } from '../phase.ts';
import type { Phase } from '../phase.ts';
import { create, createNamespace, list as listAll } from '../subject.ts';
import { configMaps } from '../subjects/config-maps.ts';

const sizes = [1000, 10_000];
const fillers = 32;
const forms = { JSON: 'application/json', protobuf: 'application/vnd.kubernetes.protobuf' } as const;

async function fill(contender: Contender, namespace: string, size: number): Promise<void> {
  await contender.withClients(fillers, async (clients) => {
    await createNamespace(clients[0] as Client, namespace, configMaps);
    await applyLoad(contender, clients, { count: size }, (client, index) => create(client, configMaps, namespace, `item-${index}`));
  });
}

/** A whole namespace at once, to one client. */
export const list: Phase = {
  name: 'list',
  async *run({ contenders, effort }) {
    for (const size of sizes) {
      const namespace = `list-${size}`;
      for (const contender of Object.values(contenders)) await fill(contender, namespace, size);
      for (const [form, accept] of Object.entries(forms)) {
        const slice = (contender: Contender) =>
          contender.withClients(1, async (clients) => {
            // The first response makes what later ones find: it counts for neither.
            await listAll(clients[0] as Client, configMaps, namespace, accept);
            return applyLoad(contender, clients, { forMs: effort.sliceMs }, (client) => listAll(client, configMaps, namespace, accept));
          });
        const rounds = await interleave(contenders, effort.rounds, slice);
        yield {
          name: `list ${size.toLocaleString('en')}, ${form}`,
          metrics: ['cpu', 'rate', 'p50', 'p99'],
          ours: total(rounds.ours),
          reference: total(rounds.reference),
          ...(size === 10_000 && { targets: [{ metric: 'cpu', ratioAtMost: 0.1 }] }),
        };
      }
    }
  },
};
