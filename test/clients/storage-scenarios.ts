import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from './controller-scenarios.ts';
import type { Estate } from './estate.ts';

const claim = async (estate: Estate, name = 'c'): Promise<void> => void (await estate.create('persistentvolumeclaims', name));
const uses = (name: string): { spec: object } => ({
  spec: {
    containers: [{ name: 'c', image: 'example.com/x' }],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: name } }],
  },
});
const deleteClaim = (estate: Estate): Promise<void> => estate.delete('persistentvolumeclaims', 'c', 'Background');

export const claimScenarios: readonly Scenario[] = [
  { name: 'claim-new', steps: [(estate) => claim(estate)] },
  { name: 'claim-unused', steps: [(estate) => claim(estate), deleteClaim] },
  {
    name: 'claim-of-a-pod',
    steps: [
      async (estate) => {
        await claim(estate);
        await estate.create('nodes', 'node');
        const { spec } = uses('c');
        await estate.create('pods', 'p', { spec: { ...spec, nodeName: estate.clusterName('node') } });
      },
      deleteClaim,
      (estate) => estate.delete('pods', 'p', 'Background', { gracePeriodSeconds: 0 }),
    ],
  },
  {
    name: 'claim-of-a-pod-without-a-node',
    steps: [
      async (estate) => {
        await claim(estate);
        await estate.create('pods', 'p', uses('c'));
      },
      deleteClaim,
    ],
  },
  {
    name: 'claim-of-an-ended-pod',
    steps: [
      async (estate) => {
        await claim(estate);
        await estate.create('nodes', 'node');
        await estate.create('pods', 'p', { spec: { ...uses('c').spec, nodeName: estate.clusterName('node') } });
        await estate.patchStatus('pods', 'p', { phase: 'Succeeded' });
      },
      deleteClaim,
    ],
  },
  {
    name: 'claim-without-protection',
    steps: [(estate) => claim(estate), (estate) => estate.patch('persistentvolumeclaims', 'c', { metadata: { finalizers: null } })],
  },
  {
    name: 'claim-held-by-others',
    steps: [async (estate) => void (await estate.create('persistentvolumeclaims', 'c', { finalizers: ['example.com/hold'] })), deleteClaim],
  },
];

const volume = (name: string, phase?: string): Scenario['steps'] => [
  async (estate) => {
    await estate.create('persistentvolumes', name);
    if (phase !== undefined) await estate.patchStatus('persistentvolumes', name, { phase });
  },
  (estate) => estate.delete('persistentvolumes', name, 'Background'),
];

export const volumeScenarios: readonly Scenario[] = [
  { name: 'volume-pending', steps: volume('v') },
  { name: 'volume-available', steps: volume('v', 'Available') },
  {
    name: 'volume-bound',
    steps: [...volume('v', 'Bound'), (estate) => estate.patchStatus('persistentvolumes', 'v', { phase: 'Released' })],
  },
  { name: 'volume-failed', steps: volume('v', 'Failed') },
  {
    name: 'volume-without-protection',
    steps: [
      async (estate) => void (await estate.create('persistentvolumes', 'v')),
      (estate) => estate.patch('persistentvolumes', 'v', { metadata: { finalizers: null } }),
    ],
  },
  {
    name: 'volume-held-by-others',
    steps: [
      async (estate) => void (await estate.create('persistentvolumes', 'v', { finalizers: ['example.com/hold'] })),
      (estate) => estate.delete('persistentvolumes', 'v', 'Background'),
    ],
  },
];

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const group = 'migrated.example.com';

/** Custom resources of the scenario alone, with these versions; the first is stored. */
async function define(estate: Estate, versions: readonly string[]): Promise<void> {
  const plural = estate.clusterName('items');
  await estate.create('customresourcedefinitions', `items.${group}`, {
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: `Item${estate.namespace.replaceAll('-', '')}` },
      versions: versions.map((name, index) => ({ name, served: true, storage: index === 0, schema })),
    },
  });
  for (let attempt = 0; attempt < 100 && !(await estate.exists(`/apis/${group}/${versions[0]}/${plural}`)); attempt++) await sleep(100);
}

async function item(estate: Estate, name: string, version = 'v1'): Promise<void> {
  const plural = estate.clusterName('items');
  const kind = `Item${estate.namespace.replaceAll('-', '')}`;
  await estate.post(`/apis/${group}/${version}/namespaces/${estate.namespace}/${plural}`, {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name },
  });
}

const migrate = async (estate: Estate, resource: object, name = 'm'): Promise<void> =>
  void (await estate.create('storageversionmigrations', name, { spec: { resource } }));
const items = (estate: Estate): object => ({ group, resource: estate.clusterName('items') });

export const migrationScenarios: readonly Scenario[] = [
  {
    name: 'migration-of-custom-resources',
    steps: [
      async (estate) => {
        await define(estate, ['v1']);
        for (const name of ['a', 'b', 'c']) await item(estate, name);
      },
      (estate) => migrate(estate, items(estate)),
    ],
  },
  {
    name: 'migration-to-another-version',
    steps: [
      async (estate) => {
        await define(estate, ['v1', 'v2']);
        for (const name of ['a', 'b']) await item(estate, name);
        const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v2', schema }));
        await estate.patch('customresourcedefinitions', `items.${group}`, { spec: { versions } });
        await item(estate, 'c');
      },
      (estate) => migrate(estate, items(estate)),
    ],
  },
  {
    name: 'migration-twice',
    steps: [
      async (estate) => {
        await define(estate, ['v1']);
        await item(estate, 'a');
      },
      async (estate) => {
        await migrate(estate, items(estate), 'first');
        await migrate(estate, items(estate), 'second');
        // Upstream's waits until its collector of garbage has seen the second one's version, which may take a minute.
        await sleep(75_000);
      },
    ],
  },
  {
    name: 'migration-of-nothing',
    steps: [(estate) => define(estate, ['v1']), (estate) => migrate(estate, items(estate))],
  },
  {
    name: 'migration-of-an-unknown-resource',
    steps: [
      async (estate) => {
        await migrate(estate, { group: 'unheard.example.com', resource: 'things' });
        await sleep(75_000);
      },
    ],
  },
  {
    name: 'migration-of-what-cannot-be-written',
    steps: [(estate) => migrate(estate, { group: '', resource: 'componentstatuses' })],
  },
  {
    name: 'migration-of-a-built-in-resource',
    steps: [
      async (estate) => void (await estate.create('runtimeclasses', 'r', { fields: { handler: 'h' } })),
      (estate) => migrate(estate, { group: 'node.k8s.io', resource: 'runtimeclasses' }),
      (estate) => estate.delete('storageversionmigrations', 'm', 'Background'),
    ],
  },
];
