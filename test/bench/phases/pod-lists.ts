import type { Client } from '../client.ts';
import type { Contender } from '../contender.ts';
import { applyLoad } from '../load.ts';
import { interleave, loadRow } from '../phase.ts';
import type { Phase } from '../phase.ts';
import { createNamespace } from '../subject.ts';
import { pods } from '../subjects/pods.ts';

const size = 1000;
const nodes = 100;
const namespace = 'pod-lists';
const collection = pods.collection(namespace);

/** What clients do with pods: an informer's list (Go's client asks for gzip), `kubectl get pods`, a kubelet's list. */
const lists = [
  { name: 'JSON, gzip', path: () => collection, headers: { 'accept-encoding': 'gzip' }, clients: 1, ratio: 0.15 },
  {
    name: 'protobuf, gzip',
    path: () => collection,
    headers: { accept: 'application/vnd.kubernetes.protobuf', 'accept-encoding': 'gzip' },
    clients: 1,
    ratio: 0.15,
  },
  { name: 'Table', path: () => collection, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }, clients: 1, ratio: 0.1 },
  {
    name: `of a node, ${size / nodes}`,
    path: (index: number) => `/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-${index % nodes}`,
    headers: {},
    clients: 16,
    ratio: 0.15,
  },
] as const;

async function fill(contender: Contender): Promise<void> {
  await contender.withClients(32, async (clients) => {
    await createNamespace(clients[0] as Client, namespace, pods);
    await applyLoad(contender, clients, { count: size }, (client, index) => {
      const body = pods.body(namespace, `item-${index}`, 'first');
      const spec = { ...(body['spec'] as object), nodeName: `node-${index % nodes}` };
      return client.request('POST', collection, { type: 'application/json', bytes: JSON.stringify({ ...body, spec }) });
    });
  });
}

export const podLists: Phase = {
  name: 'podlists',
  async *run({ contenders, effort }) {
    for (const contender of Object.values(contenders)) await fill(contender);
    for (const { name, path, headers, clients: count, ratio } of lists) {
      const get = (client: Client, index: number): Promise<number> => client.request('GET', path(index), undefined, undefined, headers);
      const rounds = await interleave(contenders, effort.rounds, (contender) =>
        contender.withClients(count, async (clients) => {
          // The first response makes what later ones find: it counts for neither.
          await get(clients[0] as Client, 0);
          return applyLoad(contender, clients, { forMs: effort.sliceMs }, get);
        }),
      );
      yield loadRow(`list of pods: ${name}`, rounds, [{ metric: 'cpu', ratioAtMost: ratio }]);
    }
  },
};
