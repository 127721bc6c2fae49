import type { Client } from '../client.ts';
import { configMaps } from '../config-maps.ts';
import type { Sample } from '../figures.ts';
import { applyLoad } from '../load.ts';
import { interleave, total } from '../phase.ts';
import type { Phase, Target } from '../phase.ts';

const clientCounts = [1, 16, 64];
const warmUpMs = 700;

const verbs = ['create', 'get', 'update', 'merge patch', 'delete'] as const;
type Verb = (typeof verbs)[number];

/** By verb, for every number of clients. */
const targets: Partial<Record<Verb, readonly Target[]>> = {
  get: [{ metric: 'cpu', ratioAtMost: 0.15 }],
  create: [{ metric: 'cpu', ratioAtMost: 0.25 }],
};

function operation(verb: Verb, namespace: string, names: readonly string[], round: number) {
  const name = (index: number): string => names[index % names.length] as string;
  return (client: Client, index: number): Promise<number> => {
    // A value never repeats: an update that changes nothing would not be written.
    const value = `${verb}-${round}-${index}`;
    if (verb === 'get') return configMaps.get(client, namespace, name(index));
    if (verb === 'update') return configMaps.update(client, namespace, name(index), value);
    if (verb === 'merge patch') return configMaps.mergePatch(client, namespace, name(index), value);
    return configMaps.delete(client, namespace, name(index));
  };
}

/** Single objects, by verb and number of clients. What a round creates it works on and deletes. */
export const objects: Phase = {
  name: 'objects',
  async *run({ contenders, effort }) {
    for (const count of clientCounts) {
      const namespace = `objects-${count}`;
      const slice = async (contender: typeof contenders.ours, round: number, forMs: number): Promise<Record<Verb, Sample>> =>
        contender.withClients(count, async (clients) => {
          const created: string[] = [];
          const create = await applyLoad(contender, clients, { forMs }, async (client, index) => {
            const name = `item-${round}-${index}`;
            await configMaps.create(client, namespace, name);
            created.push(name);
          });
          const load = (verb: Verb, limit: { forMs?: number; count?: number }) =>
            applyLoad(contender, clients, limit, operation(verb, namespace, created, round));
          return {
            create,
            get: await load('get', { forMs }),
            update: await load('update', { forMs }),
            'merge patch': await load('merge patch', { forMs }),
            delete: await load('delete', { count: created.length }),
          };
        });
      for (const contender of Object.values(contenders)) {
        await contender.withClients(1, ([client]) => configMaps.createNamespace(client as Client, namespace));
        await slice(contender, -1, warmUpMs);
      }
      const rounds = await interleave(contenders, effort.rounds, (contender, round) => slice(contender, round, effort.sliceMs));
      for (const verb of verbs) {
        yield {
          name: `${verb}, ${count} client${count === 1 ? '' : 's'}`,
          metrics: ['cpu', 'rate', 'p50', 'p99'],
          ours: total(rounds.ours.map((round) => round[verb])),
          reference: total(rounds.reference.map((round) => round[verb])),
          ...(targets[verb] && { targets: targets[verb] }),
        };
      }
    }
  },
};
