import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from './controller-scenarios.ts';
import type { Estate, Thing } from './estate.ts';

interface RunningPod {
  readonly ip?: string;
  readonly ready?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly owner?: Thing;
  readonly spec?: object;
}

const labels = { app: 'x' };
const selector = { matchLabels: labels };
const container = (port: number): object => ({ name: 'c', image: 'example.com/x', ports: [{ name: 'web', containerPort: port }] });

/** A pod on the scenario's node, as its kubelet would describe it. */
async function run(
  estate: Estate,
  name: string,
  { ip, ready = true, labels: own = labels, owner, spec = {} }: RunningPod = {},
): Promise<void> {
  const owners = owner === undefined ? [] : [{ object: owner, controller: true }];
  const usual = { nodeName: estate.clusterName('node'), containers: [container(8080)], terminationGracePeriodSeconds: 600 };
  await estate.create('pods', name, { labels: own, owners, spec: { ...usual, ...spec } });
  await say(estate, name, ready, ip);
}

async function say(estate: Estate, name: string, ready: boolean, ip?: string, phase = 'Running'): Promise<void> {
  const conditions = [
    { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: new Date().toISOString().replace(/\.\d+/, '') },
  ];
  await estate.patchStatus('pods', name, { phase, conditions, ...(ip !== undefined && { podIP: ip, podIPs: [{ ip }] }) });
}

async function node(estate: Estate, name = 'node'): Promise<void> {
  await estate.create('nodes', name, { labels: { 'topology.kubernetes.io/zone': 'east' } });
}

const port = { name: 'http', port: 80, targetPort: 'web' };

export const serviceScenarios: readonly Scenario[] = [
  {
    name: 'endpoints-of-a-service',
    steps: [
      async (estate) => {
        await node(estate);
        await estate.create('services', 's', {
          labels: { tier: 'front' },
          spec: { selector: labels, ports: [port], clusterIP: undefined },
        });
        await run(estate, 'ready', { ip: '192.0.2.1' });
        await run(estate, 'also-ready', { ip: '192.0.2.9' });
        await run(estate, 'not-ready', { ip: '192.0.2.2', ready: false });
        await run(estate, 'without-address');
        await run(estate, 'other', { ip: '192.0.2.3', labels: { app: 'y' } });
      },
      async (estate) => {
        await estate.delete('pods', 'ready', 'Background');
        await say(estate, 'not-ready', true, '192.0.2.2');
        await say(estate, 'also-ready', false, '192.0.2.9', 'Succeeded');
      },
      (estate) => estate.delete('services', 's', 'Background'),
    ],
  },
  {
    name: 'endpoints-headless',
    steps: [
      async (estate) => {
        await node(estate);
        await estate.create('services', 's', { spec: { selector: labels, publishNotReadyAddresses: true, ports: [] } });
        await run(estate, 'named', { ip: '192.0.2.1', ready: false, spec: { hostname: 'first', subdomain: 's' } });
        await run(estate, 'elsewhere', { ip: '192.0.2.2', spec: { hostname: 'second', subdomain: 'other' } });
      },
      async (estate) => {
        await estate.delete('pods', 'named', 'Background');
        await estate.patch('services', 's', { metadata: { labels: { tier: 'back' } } });
      },
      (estate) => estate.patch('services', 's', { spec: { publishNotReadyAddresses: false } }),
    ],
  },
  {
    name: 'endpoints-with-several-ports',
    steps: [
      async (estate) => {
        await node(estate);
        const ports = [port, { name: 'raw', port: 81, targetPort: 9000, appProtocol: 'example.com/raw' }];
        const spec = { selector: labels, ports, trafficDistribution: 'PreferSameNode', clusterIP: undefined };
        await estate.create('services', 's', { spec });
        await run(estate, 'one', { ip: '192.0.2.1' });
        await run(estate, 'two', { ip: '192.0.2.2', spec: { containers: [container(8081)] } });
        await run(estate, 'portless', { ip: '192.0.2.3', spec: { containers: [{ name: 'c', image: 'example.com/x' }] } });
      },
      (estate) => estate.patch('pods', 'two', { metadata: { labels: { app: 'y' } } }),
      (estate) => estate.patch('services', 's', { spec: { selector: { app: 'y' } } }),
    ],
  },
  {
    name: 'endpoints-on-missing-nodes',
    steps: [
      async (estate) => {
        await node(estate);
        await estate.create('services', 's', { spec: { selector: labels, ports: [port] } });
        await estate.create('services', 'early', { spec: { selector: labels, ports: [port], publishNotReadyAddresses: true } });
        await estate.create('services', 'by-hand', { spec: { ports: [port] } });
        await run(estate, 'here', { ip: '192.0.2.1' });
      },
      // A step of its own: Endpoints with an address without a node are refused, so what they say is what they said before the pod was there.
      (estate) => run(estate, 'unscheduled', { ip: '192.0.2.2', spec: { nodeName: undefined } }),
    ],
  },
  {
    name: 'endpoints-of-a-service-without-a-selector',
    steps: [
      async (estate) => {
        await node(estate);
        await estate.create('services', 's', { spec: { selector: labels, ports: [port], clusterIP: undefined } });
        await run(estate, 'a', { ip: '192.0.2.1' });
      },
      (estate) => estate.patch('services', 's', { spec: { selector: null } }),
      (estate) => estate.patch('services', 's', { spec: { selector: { app: 'other' } } }),
    ],
  },
  {
    name: 'endpoints-of-pods-that-go',
    steps: [
      async (estate) => {
        await node(estate);
        await estate.create('services', 's', { spec: { selector: labels, ports: [port], clusterIP: undefined } });
        for (const [name, ip] of Object.entries({ failed: '192.0.2.1', going: '192.0.2.2', renamed: '192.0.2.3' }))
          await run(estate, name, { ip });
      },
      async (estate) => {
        await estate.patchStatus('pods', 'failed', { phase: 'Failed' });
        await estate.delete('pods', 'going', 'Background');
        await estate.patch('pods', 'renamed', { metadata: { labels: { app: 'y' } } });
      },
      (estate) => estate.delete('pods', 'going', 'Background', { gracePeriodSeconds: 0 }),
    ],
  },
  {
    name: 'endpoints-altered-by-others',
    steps: [
      async (estate) => {
        await node(estate);
        await estate.create('services', 's', {
          labels: { tier: 'front' },
          spec: { selector: labels, ports: [port], clusterIP: undefined },
        });
        await run(estate, 'a', { ip: '192.0.2.1' });
      },
      (estate) => estate.delete('endpoints', 's', 'Background'),
      (estate) => estate.patch('services', 's', { metadata: { labels: { tier: 'back', more: 'x' } } }),
    ],
  },
];

export const podScenarios: readonly Scenario[] = [
  {
    name: 'budget-of-a-number',
    steps: [
      async (estate) => {
        await node(estate);
        await estate.create('poddisruptionbudgets', 'two', { spec: { minAvailable: 2, selector } });
        await estate.create('poddisruptionbudgets', 'none', { spec: { minAvailable: 0, selector: { matchLabels: { app: 'none' } } } });
        for (const name of ['a', 'b', 'c']) await run(estate, name);
        await run(estate, 'd', { ready: false });
      },
      (estate) => estate.delete('pods', 'a', 'Background'),
      async (estate) => {
        await say(estate, 'd', true);
        await estate.patch('poddisruptionbudgets', 'two', { spec: { minAvailable: 1 } });
      },
    ],
  },
  {
    name: 'budget-of-a-share',
    steps: [
      async (estate) => {
        await node(estate);
        const deployment = await estate.create('deployments', 'app', { spec: { replicas: 7 } });
        const owners = [{ object: deployment, controller: true }];
        const owned = await estate.create('replicasets', 'owned', { owners, spec: { replicas: 2 } });
        const alone = await estate.create('replicasets', 'alone', { spec: { replicas: 3 } });
        for (const name of ['a', 'b', 'c', 'd']) await run(estate, name, { owner: owned });
        for (const name of ['e', 'f']) await run(estate, name, { owner: alone });
        await run(estate, 'unmanaged');
        await estate.create('poddisruptionbudgets', 'max', { spec: { maxUnavailable: '55%', selector } });
        await estate.create('poddisruptionbudgets', 'min', { spec: { minAvailable: '45%', selector } });
        await estate.create('poddisruptionbudgets', 'number', { spec: { maxUnavailable: 20, selector } });
      },
      (estate) => estate.delete('deployments', 'app', 'Orphan'),
    ],
  },
  {
    name: 'budget-that-cannot-be-counted',
    steps: [
      async (estate) => {
        await node(estate);
        for (const kind of ['jobs', 'things', 'replicasets']) {
          const own = { app: kind };
          const owner = await estate.create(kind, 'owner', { spec: kind === 'replicasets' ? { replicas: 1 } : {} });
          await run(estate, kind, { owner, labels: own });
          await estate.create('poddisruptionbudgets', kind, { spec: { maxUnavailable: 1, selector: { matchLabels: own } } });
        }
        const unknown = { apiVersion: 'example.com/v7', kind: 'Unheard', metadata: { name: 'x', uid: 'no-such-uid' } };
        await run(estate, 'unknown', { owner: unknown, labels: { app: 'u' } });
        await estate.create('poddisruptionbudgets', 'unknown', { spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'u' } } } });
      },
    ],
  },
  {
    name: 'budget-of-all',
    steps: [
      async (estate) => {
        await node(estate);
        await estate.create('poddisruptionbudgets', 'all', { spec: { minAvailable: '100%', selector: {} } });
        await estate.create('poddisruptionbudgets', 'unselective', { spec: { minAvailable: 1 } });
        for (const name of ['a', 'b']) await run(estate, name);
      },
      (estate) => estate.delete('pods', 'a', 'Background', { gracePeriodSeconds: 0 }),
      (estate) => estate.delete('poddisruptionbudgets', 'all', 'Background'),
    ],
  },
  {
    name: 'budget-that-comes-later',
    steps: [
      async (estate) => {
        await node(estate);
        const owner = await estate.create('replicasets', 'rs', { spec: { replicas: 4 } });
        for (const name of ['a', 'b', 'c']) await run(estate, name, { owner });
      },
      async (estate) => void (await estate.create('poddisruptionbudgets', 'late', { spec: { maxUnavailable: '50%', selector } })),
      (estate) => estate.patch('replicasets', 'rs', { spec: { replicas: 2 } }),
    ],
  },
  {
    name: 'budget-of-pods-that-end',
    steps: [
      async (estate) => {
        await node(estate);
        await estate.create('poddisruptionbudgets', 'one', { spec: { minAvailable: 1, selector } });
        for (const name of ['a', 'b']) await run(estate, name);
        await estate.create('pods', 'waiting', { labels });
      },
      (estate) => estate.patchStatus('pods', 'a', { phase: 'Succeeded' }),
      (estate) => estate.delete('pods', 'b', 'Background', { gracePeriodSeconds: 0 }),
    ],
  },
  {
    name: 'pods-ended-on-a-node',
    steps: [
      async (estate) => {
        await node(estate);
        await run(estate, 'ended');
        await estate.patchStatus('pods', 'ended', { phase: 'Succeeded' });
        await run(estate, 'running');
      },
      (estate) => estate.delete('pods', 'running', 'Background'),
    ],
  },
  {
    name: 'pods-waiting-that-are-deleted',
    steps: [
      async (estate) => {
        await estate.create('pods', 'gated', { spec: { schedulingGates: [{ name: 'example.com/gate' }] } });
        await estate.create('pods', 'graceful', { spec: { terminationGracePeriodSeconds: 600 }, finalizers: ['example.com/hold'] });
      },
      async (estate) => {
        await estate.delete('pods', 'gated', 'Background');
        await estate.delete('pods', 'graceful', 'Background');
      },
      (estate) => estate.patch('pods', 'graceful', { metadata: { finalizers: null } }),
    ],
  },
  {
    name: 'pods-of-a-node-that-is-not-ready',
    steps: [
      async (estate) => {
        await node(estate, 'slow');
        const spec = { nodeName: estate.clusterName('slow'), terminationGracePeriodSeconds: 600 };
        await estate.create('pods', 'stays', { spec });
        await estate.create('pods', 'going', { spec });
      },
      (estate) => estate.delete('pods', 'going', 'Background'),
    ],
  },
  {
    name: 'pods-without-a-node',
    steps: [
      async (estate) => {
        await node(estate);
        await estate.create('pods', 'held', { finalizers: ['example.com/hold'] });
        await estate.create('pods', 'waiting');
        await run(estate, 'on-a-node');
      },
      (estate) => estate.delete('pods', 'held', 'Background'),
      (estate) => estate.patch('pods', 'held', { metadata: { finalizers: null } }),
    ],
  },
  {
    name: 'pods-of-a-node-that-is-gone',
    steps: [
      async (estate) => {
        const nodeName = estate.clusterName('gone');
        await node(estate, 'gone');
        await estate.create('pods', 'held', { finalizers: ['example.com/hold'], spec: { nodeName } });
        await estate.create('pods', 'free', { spec: { nodeName } });
        await estate.create('pods', 'ended', { finalizers: ['example.com/hold'], spec: { nodeName } });
        await estate.patchStatus('pods', 'ended', { phase: 'Succeeded' });
      },
      async (estate) => {
        await estate.delete('nodes', 'gone', 'Background');
        await sleep(50_000);
      },
    ],
  },
  {
    name: 'pods-of-a-node-out-of-service',
    steps: [
      async (estate) => {
        const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }];
        await estate.create('nodes', 'broken', { spec: { taints } });
        const spec = { nodeName: estate.clusterName('broken'), terminationGracePeriodSeconds: 600 };
        await estate.create('pods', 'held', { finalizers: ['example.com/hold'], spec });
        await estate.create('pods', 'going', { spec });
        await estate.create('pods', 'stays', { spec });
      },
      async (estate) => {
        await estate.delete('pods', 'held', 'Background');
        await estate.delete('pods', 'going', 'Background');
      },
    ],
  },
];
