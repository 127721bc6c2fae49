import type { Client } from '../client.ts';
import type { Sample } from '../figures.ts';
import { applyLoad } from '../load.ts';
import { etcdTargets, interleave, loadRow } from '../phase.ts';
import type { Phase, Target } from '../phase.ts';
import type { Subject, VerbName } from '../subject.ts';
import { create, createNamespace, verbs } from '../subject.ts';
import { configMaps } from '../subjects/config-maps.ts';
import { customResources } from '../subjects/custom-resources.ts';
import { pods } from '../subjects/pods.ts';

interface Options {
  /** of the phase, and before the verb in its rows */
  readonly name: string;
  readonly subject: Subject;
  readonly clientCounts: readonly number[];
  /** after creation, in this order; deletion comes last */
  readonly verbs: readonly VerbName[];
  /** most CPU per operation, ours to the reference's, for every number of clients */
  readonly cpuRatios: Partial<Record<VerbName | 'create', number>>;
}

/** Single objects of one kind, by verb and number of clients. What a round creates it works on and deletes. */
function objectPhase(options: Options): Phase {
  const { subject } = options;
  return {
    name: options.name,
    async *run({ contenders, effort, onEtcd }) {
      for (const contender of Object.values(contenders)) {
        await contender.withClients(1, ([client]) => subject.prepare?.(client as Client) ?? Promise.resolve());
      }
      for (const count of options.clientCounts) {
        const namespace = `${options.name}-${count}`;
        const slice = async (contender: typeof contenders.ours, round: number): Promise<Map<string, Sample>> =>
          contender.withClients(count, async (clients) => {
            const created: string[] = [];
            const samples = new Map<string, Sample>();
            samples.set(
              'create',
              await applyLoad(contender, clients, { forMs: effort.sliceMs }, async (client, index) => {
                const name = `item-${round}-${index}`;
                await create(client, subject, namespace, name);
                created.push(name);
              }),
            );
            for (const verb of options.verbs) {
              const limit = verb === 'delete' ? { count: created.length } : { forMs: effort.sliceMs };
              const load = await applyLoad(contender, clients, limit, (client, index) => {
                const name = created[index % created.length] as string;
                // A value never repeats: an update that changes nothing would not be written.
                return verbs[verb](client, subject, { namespace, name }, `${verb.replace(' ', '-')}-${round}-${index}`);
              });
              samples.set(verb, load);
            }
            return samples;
          });
        for (const contender of Object.values(contenders)) {
          await contender.withClients(1, ([client]) => createNamespace(client as Client, namespace, subject));
        }
        const rounds = await interleave(contenders, effort.rounds, slice);
        for (const verb of ['create', ...options.verbs] as const) {
          const ratio = options.cpuRatios[verb];
          const usual: readonly Target[] = ratio === undefined ? [] : [{ metric: 'cpu', ratioAtMost: ratio }];
          const targets = onEtcd && verb !== 'get' ? etcdTargets : usual;
          const samples = {
            ours: rounds.ours.map((round) => round.get(verb) as Sample),
            reference: rounds.reference.map((round) => round.get(verb) as Sample),
          };
          yield loadRow(`${options.name}: ${verb}, ${count} client${count === 1 ? '' : 's'}`, samples, targets);
        }
      }
    },
  };
}

export const objectPhases: readonly Phase[] = [
  objectPhase({
    name: 'configmaps',
    subject: configMaps,
    clientCounts: [64, 16, 1],
    verbs: ['get', 'update', 'merge patch', 'delete'],
    cpuRatios: { create: 0.25, get: 0.15 },
  }),
  objectPhase({
    name: 'pods',
    subject: pods,
    clientCounts: [16],
    verbs: ['get', 'update', 'JSON patch', 'merge patch', 'strategic patch', 'apply', 'delete'],
    cpuRatios: { create: 0.18, 'JSON patch': 0.3, 'merge patch': 0.3, 'strategic patch': 0.18, apply: 0.3 },
  }),
  objectPhase({
    name: 'customresources',
    subject: customResources,
    clientCounts: [16],
    verbs: ['get', 'JSON patch', 'merge patch', 'apply', 'delete'],
    cpuRatios: { create: 0.33, 'JSON patch': 0.3, 'merge patch': 0.3, apply: 0.3 },
  }),
];
