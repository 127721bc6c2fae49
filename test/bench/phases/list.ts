import type { Client } from '../client.ts';
import type { Contender } from '../contender.ts';
import { applyLoad } from '../load.ts';
import { interleave, loadRow } from '../phase.ts';
import type { Phase, Target } from '../phase.ts';
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
        const targets: readonly Target[] = size === 10_000 ? [{ metric: 'cpu', ratioAtMost: 0.1 }] : [];
        yield loadRow(`list ${size.toLocaleString('en')}, ${form}`, rounds, targets);
      }
    }
  },
};
