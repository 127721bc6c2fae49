import type { ApiServerProcess } from '../servers/api-server-process.ts';
import { oldTokenScenarios, quotaScenarios, tokenScenarios, ttlScenarios } from './account-scenarios.ts';
import { certificateScenarios } from './certificate-scenarios.ts';
import { Estate } from './estate.ts';
import { aggregationScenarios, furnishings } from './namespace-furnishings.ts';
import { mirroringScenarios, serviceCidrScenarios } from './network-scenarios.ts';
import { podScenarios, serviceScenarios } from './pod-scenarios.ts';
import { policyScenarios } from './policy-scenarios.ts';
import { claimScenarios, migrationScenarios, volumeScenarios } from './storage-scenarios.ts';

/** Things done to a server whose controllers then have something to do. The controllers come to rest after each step. */
export interface Scenario {
  readonly name: string;
  /** done while there are no controllers, and no namespace of the scenario */
  readonly before?: (estate: Estate) => Promise<void>;
  readonly steps: readonly ((estate: Estate) => Promise<void>)[];
}

const blocking = { blockOwnerDeletion: true };

/** Deployment → ReplicaSet → Pod, as controllers would have made them. */
async function tree(estate: Estate, { block = true, finalizers = [] as string[] } = {}): Promise<void> {
  const reference = { controller: true, ...(block && blocking) };
  const deployment = await estate.create('deployments', 'app');
  const replicaSet = await estate.create('replicasets', 'app-1', { owners: [{ object: deployment, ...reference }] });
  await estate.create('pods', 'app-1-a', { owners: [{ object: replicaSet, ...reference }], finalizers });
  await estate.create('pods', 'app-1-b', { owners: [{ object: replicaSet, ...reference }] });
}

const deletesTree = (policy: string, options: Parameters<typeof tree>[1] = {}): Scenario['steps'] => [
  (estate) => tree(estate, options),
  (estate) => estate.delete('deployments', 'app', policy),
];

const owners: readonly Scenario[] = [
  { name: 'tree-background', steps: deletesTree('Background') },
  { name: 'tree-foreground', steps: deletesTree('Foreground') },
  { name: 'tree-foreground-not-blocking', steps: deletesTree('Foreground', { block: false }) },
  { name: 'tree-orphan', steps: deletesTree('Orphan') },
  {
    name: 'tree-foreground-held',
    steps: [
      ...deletesTree('Foreground', { finalizers: ['example.com/hold'] }),
      (estate) => estate.patch('pods', 'app-1-a', { metadata: { finalizers: null } }),
    ],
  },
  { name: 'tree-foreground-held-not-blocking', steps: deletesTree('Foreground', { block: false, finalizers: ['example.com/hold'] }) },
  { name: 'tree-background-held', steps: deletesTree('Background', { finalizers: ['example.com/hold'] }) },
  {
    name: 'absent-owner',
    steps: [
      async (estate) => {
        const there = await estate.create('configmaps', 'there');
        const nobody = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'nobody', uid: 'no-such-uid' } };
        const another = { ...there, metadata: { ...there.metadata, uid: 'another-uid' } };
        await estate.create('configmaps', 'owned-by-nobody', { owners: [{ object: nobody }] });
        await estate.create('configmaps', 'owned-by-another', { owners: [{ object: another }] });
        await estate.create('configmaps', 'owned-by-both', { owners: [{ object: nobody }, { object: there }] });
      },
    ],
  },
  {
    name: 'misnamed-owner',
    steps: [
      async (estate) => {
        const there = await estate.create('configmaps', 'there');
        const misnamed = { ...there, metadata: { ...there.metadata, name: 'elsewhere' } };
        const unknown = { ...there, apiVersion: 'example.com/v7', kind: 'Unheard' };
        await estate.create('secrets', 'misnames', { owners: [{ object: misnamed }] });
        await estate.create('secrets', 'names-well', { owners: [{ object: there }] });
        await estate.create('secrets', 'names-no-kind', { owners: [{ object: unknown }] });
      },
    ],
  },
  ...(['Background', 'Foreground', 'Orphan'] as const).map((policy) => ({
    name: `one-owner-of-two-${policy.toLowerCase()}`,
    steps: [
      async (estate: Estate) => {
        const both = [await estate.create('configmaps', 'first'), await estate.create('configmaps', 'second')];
        await estate.create('secrets', 'shared', { owners: both.map((object) => ({ object, ...blocking })) });
      },
      (estate: Estate) => estate.delete('configmaps', 'first', policy),
    ],
  })),
  ...(['Background', 'Foreground', 'Orphan'] as const).map((policy) => ({
    name: `circle-${policy.toLowerCase()}`,
    steps: [
      async (estate: Estate) => {
        const a = await estate.create('configmaps', 'a');
        const b = await estate.create('configmaps', 'b', { owners: [{ object: a, ...blocking }] });
        const c = await estate.create('configmaps', 'c', { owners: [{ object: b, ...blocking }] });
        await estate.setOwners('configmaps', 'a', [{ object: c, ...blocking }]);
      },
      (estate: Estate) => estate.delete('configmaps', 'a', policy),
    ],
  })),
  {
    name: 'foreign-owner',
    steps: [
      async (estate) => {
        const abroad = await estate.elsewhere.create('configmaps', 'abroad');
        const here = await estate.create('configmaps', 'here');
        await estate.create('configmaps', 'owned-abroad', { owners: [{ object: abroad }] });
        await estate.create('configmaps', 'owned-both', { owners: [{ object: abroad }, { object: here }] });
      },
    ],
  },
  {
    name: 'owner-of-the-cluster',
    steps: [
      async (estate) => {
        const role = await estate.create('clusterroles', 'owner');
        await estate.create('configmaps', 'owned', { owners: [{ object: role, ...blocking }] });
        await estate.create('clusterroles', 'owned', { owners: [{ object: role, ...blocking }] });
      },
      (estate) => estate.delete('clusterroles', 'owner', 'Foreground'),
    ],
  },
  {
    name: 'namespaced-owner-of-the-cluster',
    steps: [
      async (estate) => {
        const here = await estate.create('configmaps', 'here');
        await estate.create('clusterroles', 'owned', { owners: [{ object: here }] });
      },
      (estate) => estate.delete('configmaps', 'here', 'Background'),
    ],
  },
  ...(['Background', 'Foreground', 'Orphan'] as const).map((policy) => ({
    name: `custom-${policy.toLowerCase()}`,
    steps: [
      async (estate: Estate) => {
        const whole = await estate.create('wholes', 'whole');
        const thing = await estate.create('things', 'thing', { owners: [{ object: whole, ...blocking }] });
        await estate.create('things', 'part', { owners: [{ object: thing, ...blocking }] });
        await estate.create('configmaps', 'settings', { owners: [{ object: thing, ...blocking }] });
      },
      (estate: Estate) => estate.delete('wholes', 'whole', policy),
    ],
  })),
  {
    name: 'orphan-finalizer-of-garbage',
    steps: [
      async (estate) => {
        const owner = await estate.create('configmaps', 'owner');
        const middle = await estate.create('configmaps', 'middle', { owners: [{ object: owner }], finalizers: ['orphan'] });
        await estate.create('configmaps', 'last', { owners: [{ object: middle }] });
      },
      (estate) => estate.delete('configmaps', 'owner', 'Background'),
    ],
  },
];

const mixed = ['configmaps', 'secrets', 'services', 'deployments', 'replicasets', 'pods', 'roles', 'things', 'jobs', 'serviceaccounts'];

async function fill(estate: Estate, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await estate.create(mixed[index % mixed.length] as string, `object-${index}`);
}

const namespaces: readonly Scenario[] = [
  { name: 'namespace-mixed', steps: [(estate) => fill(estate, 200), (estate) => estate.deleteNamespace()] },
  {
    name: 'namespace-held',
    steps: [
      async (estate) => {
        await fill(estate, 20);
        await estate.create('configmaps', 'held', { finalizers: ['example.com/hold', 'example.com/other'] });
        await estate.create('things', 'held', { finalizers: ['example.com/hold'] });
        await estate.create('pods', 'free');
      },
      (estate) => estate.deleteNamespace(),
      (estate) => estate.patch('things', 'held', { metadata: { finalizers: null } }),
      (estate) => estate.patch('configmaps', 'held', { metadata: { finalizers: null } }),
    ],
  },
  {
    name: 'namespace-with-running-pod',
    steps: [
      async (estate) => {
        await estate.create('configmaps', 'waits-for-pods');
        await estate.create('nodes', 'node');
        await estate.create('pods', 'runs', { spec: { nodeName: estate.clusterName('node'), terminationGracePeriodSeconds: 3 } });
      },
      (estate) => estate.deleteNamespace(),
      (estate) => estate.delete('pods', 'runs', 'Background', { gracePeriodSeconds: 0 }),
    ],
  },
  {
    name: 'namespace-with-pod-held',
    steps: [
      async (estate) => {
        await estate.create('configmaps', 'waits-for-pods');
        await estate.create('pods', 'held', { finalizers: ['example.com/hold'] });
      },
      (estate) => estate.deleteNamespace(),
    ],
  },
  {
    name: 'namespace-of-claims-and-budgets',
    steps: [
      async (estate) => {
        await estate.create('resourcequotas', 'quota', { spec: { hard: { 'count/configmaps': '100' } } });
        await estate.create('persistentvolumeclaims', 'claim');
        await estate.create('services', 'service', { spec: { clusterIP: undefined, selector: { app: 'x' } } });
        await estate.create('poddisruptionbudgets', 'budget', { spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } } });
        const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'claim' } }];
        await estate.create('pods', 'pod', { labels: { app: 'x' }, spec: { volumes } });
      },
      (estate) => estate.deleteNamespace(),
    ],
  },
  {
    name: 'namespace-finalized-by-others',
    steps: [
      async (estate) => {
        await estate.create('configmaps', 'content');
        await estate.patchNamespace({ metadata: { finalizers: ['example.com/hold'] } });
      },
      (estate) => estate.deleteNamespace(),
      (estate) => estate.patchNamespace({ metadata: { finalizers: null } }),
    ],
  },
];

export const scenarios: readonly Scenario[] = [
  ...owners,
  ...namespaces,
  ...furnishings,
  ...aggregationScenarios,
  ...oldTokenScenarios,
  ...serviceScenarios,
  ...podScenarios,
  ...mirroringScenarios,
  ...serviceCidrScenarios,
  ...certificateScenarios,
  ...tokenScenarios,
  ...quotaScenarios,
  ...ttlScenarios,
  ...claimScenarios,
  ...volumeScenarios,
  ...migrationScenarios,
  ...policyScenarios,
];

/** The custom resources that scenarios use. */
export async function defineCustomResources(server: ApiServerProcess): Promise<void> {
  for (const [plural, kind, scope] of [
    ['things', 'Thing', 'Namespaced'],
    ['wholes', 'Whole', 'Cluster'],
  ] as const) {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: 'example.com',
        scope,
        names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
  }
}
