import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServerProcess } from './api-server-process.ts';

interface NodeList {
  readonly items: readonly {
    readonly spec: { readonly taints?: readonly unknown[] };
    readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  }[];
}

const limitMs = 120_000;

/** Nodes for `Controllers`, once they are ready and there is an account for pods. */
export async function makeFakeNodes(server: ApiServerProcess, count: number): Promise<void> {
  const amounts = { cpu: '32', memory: '256Gi', pods: '110', 'ephemeral-storage': '1Ti' };
  for (let index = 0; index < count; index++) {
    const name = `node-${index}`;
    const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
    await server.post('/api/v1/nodes', { metadata: { name, labels }, status: { capacity: amounts, allocatable: amounts } });
  }
  const limit = performance.now() + limitMs;
  for (;;) {
    const { body } = await server.request('GET', '/api/v1/nodes');
    const ready = (JSON.parse(body) as NodeList).items.filter(
      ({ spec, status }) => !spec.taints?.length && status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
    );
    const account = await server.request('GET', '/api/v1/namespaces/default/serviceaccounts/default');
    if (ready.length === count && account.status === 200) return;
    if (performance.now() > limit) throw new Error('nodes do not get ready');
    await sleep(200);
  }
}
