/** A data directory as a server leaves it: many kinds, custom resources, events that expire, secrets; revisions with gaps between them. */
import { openEmbeddedStorage } from '../../src/storage/drivers/embedded/open.ts';
import type { Operation } from '../../src/storage/storage.ts';
import { startApiServer } from '../../src/index.ts';
import { RawClient } from '../support/raw-client.ts';

const core = '/api/v1/namespaces/default';
const pod = { containers: [{ name: 'c', image: 'registry.example/image:1', resources: { requests: { cpu: '100m', memory: '64Mi' } } }] };
export const definition = {
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'things', kind: 'Thing' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** One of each, which the many are copies of. */
const templates: readonly (readonly [collection: string, prefix: string, object: object])[] = [
  [`${core}/configmaps`, 'configmaps/default', { data: { a: 'b', text: 'x'.repeat(500) } }],
  [`${core}/secrets`, 'secrets/default', { data: { password: 'c2VjcmV0' }, type: 'Opaque' }],
  [`${core}/pods`, 'pods/default', { spec: pod }],
  [`${core}/serviceaccounts`, 'serviceaccounts/default', {}],
  [
    '/apis/apps/v1/namespaces/default/deployments',
    'deployments/default',
    { spec: { replicas: 3, selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: pod } } },
  ],
  [
    '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    'leases/default',
    { spec: { holderIdentity: 'me', leaseDurationSeconds: 15 } },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    'clusterroles',
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] },
  ],
  [
    '/apis/example.com/v1/namespaces/default/things',
    'example.com/things/default',
    { apiVersion: 'example.com/v1', kind: 'Thing', spec: { size: 12345678901234, nested: { list: [1, 2.5, 'x'] } } },
  ],
  [
    `${core}/events`,
    'events/default',
    { involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' }, reason: 'Tested', message: 'm', type: 'Normal' },
  ],
];

const name = 'template';
const eventSeconds = 3600;

export interface SampleStore {
  /** keys that are there in the end */
  readonly keys: number;
  readonly revision: number;
}

export async function makeSampleStore(directory: string, objects: number, encryptionFile?: string): Promise<SampleStore> {
  const storage = { backend: { directory }, ...(encryptionFile !== undefined && { encryption: { file: encryptionFile, reload: false } }) };
  {
    await using server = await startApiServer({ storage, admission: { disable: ['ServiceAccount'] } });
    await using client = new RawClient(server);
    const post = async (path: string, body: object): Promise<void> => {
      const { status, text } = await client.call('POST', path, { body });
      if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
    };
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    for (const [collection, , object] of templates) await post(collection, { metadata: { name, labels: { a: 'b' } }, ...object });
  }
  await using store = await openEmbeddedStorage({ directory });
  const copied = await Promise.all(
    templates
      .filter(([, prefix]) => encryptionFile === undefined || prefix !== 'secrets/default')
      .map(async ([, prefix]) => ({ prefix, text: (await store.get(`/registry/${prefix}/${name}`)).kv!.value.toString() })),
  );
  const put = (i: number): Operation => {
    const { prefix, text } = copied[i % copied.length]!;
    const value = Buffer.from(text.replaceAll(`"name":"${name}"`, `"name":"copy-${i}"`).replace(/"uid":"[^"]*"/, `"uid":"${uidOf(i)}"`));
    return { type: 'put', key: `/registry/${prefix}/copy-${i}`, value, ...(prefix.startsWith('events') && { ttlSeconds: eventSeconds }) };
  };
  for (let i = 0; i < objects; i += 1000) {
    const writes: Promise<unknown>[] = [];
    for (let j = i; j < Math.min(i + 1000, objects); j++) {
      writes.push(store.transact([put(j)]));
      // Revisions that nothing is left of: updates, and what was deleted.
      if (j % 10 === 0) writes.push(store.transact([put(j)]));
      if (j % 25 === 0) writes.push(store.transact([{ type: 'put', key: '/registry/configmaps/default/gone', value: Buffer.from('{}') }]));
    }
    await Promise.all(writes);
  }
  await store.transact([{ type: 'delete', key: '/registry/configmaps/default/gone' }]);
  return { keys: await store.count(''), revision: await store.currentRevision() };
}

function uidOf(i: number): string {
  return `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
}
