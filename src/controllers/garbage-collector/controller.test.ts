import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ObjectMeta, OwnerReference } from '../../machinery/object-meta.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { until as untilHolds } from '../../../test/support/eventually.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/example.com/v1/namespaces/default/things';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

// Whatever waits in vain runs into the time limit.
describe('the garbage collector', { timeout: 60_000 }, () => {
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({ controllers: ['garbage-collector-controller'] });
    client = new RawClient(server);
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  async function create(path: string, name: string, owners: readonly KubeObject[] = [], metadata: ObjectMeta = {}): Promise<KubeObject> {
    const ownerReferences = owners.map(({ apiVersion = '', kind = '', metadata: { name: owner = '', uid = '' } }): OwnerReference => ({
      apiVersion,
      kind,
      name: owner,
      uid,
      blockOwnerDeletion: true,
    }));
    const kind = path === things ? { apiVersion: 'example.com/v1', kind: 'Thing' } : {};
    const { status, text } = await client.call('POST', path, { body: { ...kind, metadata: { name, ownerReferences, ...metadata } } });
    assert.equal(status, 201, text);
    return JSON.parse(text) as KubeObject;
  }

  async function remove(path: string, propagationPolicy: string): Promise<void> {
    const { status, text } = await client.call('DELETE', path, { body: { propagationPolicy } });
    assert.equal(status, 200, text);
  }

  async function get(path: string): Promise<KubeObject | undefined> {
    const { status, text } = await client.call('GET', path);
    return status === 200 ? (JSON.parse(text) as KubeObject) : undefined;
  }

  const until = (path: string, holds: (object: KubeObject | undefined) => boolean): Promise<void> =>
    untilHolds(path, async () => holds(await get(path)));

  const gone = (object: KubeObject | undefined): boolean => object === undefined;

  test('deletes what a deleted object owned, and what that owned', async () => {
    const top = await create(configMaps, 'top');
    const middle = await create(configMaps, 'middle', [top]);
    await create(configMaps, 'bottom', [middle]);
    await remove(`${configMaps}/top`, 'Background');
    await until(`${configMaps}/bottom`, gone);
    assert.equal(await get(`${configMaps}/middle`), undefined);
  });

  test('deletes owners after their dependents where that is asked for', async () => {
    const top = await create(configMaps, 'top');
    await create(configMaps, 'held', [top], { finalizers: ['example.com/hold'] });
    await remove(`${configMaps}/top`, 'Foreground');
    await until(`${configMaps}/held`, (held) => held?.metadata.deletionTimestamp !== undefined);
    assert.deepEqual((await get(`${configMaps}/top`))?.metadata.finalizers, ['foregroundDeletion']);
    const headers = { 'content-type': 'application/merge-patch+json' };
    await client.call('PATCH', `${configMaps}/held`, { body: { metadata: { finalizers: null } }, headers });
    await until(`${configMaps}/top`, gone);
  });

  test('takes the owner from its dependents where they are to stay', async () => {
    const top = await create(configMaps, 'top');
    await create(configMaps, 'stays', [top]);
    await remove(`${configMaps}/top`, 'Orphan');
    await until(`${configMaps}/top`, gone);
    const { metadata } = (await get(`${configMaps}/stays`)) as KubeObject;
    assert.equal(metadata.ownerReferences, undefined);
    assert.equal(metadata.deletionTimestamp, undefined);
  });

  test('deletes what belongs to nobody, and keeps what belongs to somebody as well', async () => {
    const nobody = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'nobody', uid: 'none' } };
    const somebody = await create(configMaps, 'somebody');
    await create(configMaps, 'garbage', [nobody]);
    await create(configMaps, 'shared', [nobody, somebody]);
    await until(`${configMaps}/garbage`, gone);
    await until(`${configMaps}/shared`, (shared) => shared?.metadata.ownerReferences?.length === 1);
  });

  test('breaks circles of objects that wait for each other', async () => {
    const first = await create(configMaps, 'first');
    const second = await create(configMaps, 'second', [first]);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'second', uid: second.metadata.uid, blockOwnerDeletion: true };
    const headers = { 'content-type': 'application/merge-patch+json' };
    await client.call('PATCH', `${configMaps}/first`, { body: { metadata: { ownerReferences: [reference] } }, headers });
    await remove(`${configMaps}/first`, 'Foreground');
    await until(`${configMaps}/first`, gone);
    await until(`${configMaps}/second`, gone);
  });

  test('knows custom resources as soon as they are served, and when they are served again', async () => {
    for (const _ of [1, 2]) {
      assert.equal((await client.call('POST', definitions, { body: definition })).status, 201);
      await until(things, (list) => list !== undefined);
      const thing = await create(things, 'thing');
      await create(configMaps, 'settings', [thing]);
      const more = await create(configMaps, 'more');
      await create(things, 'owned', [more]);
      await remove(`${configMaps}/more`, 'Background');
      await until(`${things}/owned`, gone);
      await remove(`${things}/thing`, 'Foreground');
      await until(`${configMaps}/settings`, gone);
      await remove(`${definitions}/things.example.com`, 'Background');
      await until(`${definitions}/things.example.com`, gone);
    }
  });

  test('follows a server that is put back in time', async () => {
    const top = await create(configMaps, 'top');
    await create(configMaps, 'owned', [top]);
    const snapshot = server.snapshot();
    await remove(`${configMaps}/top`, 'Background');
    await until(`${configMaps}/owned`, gone);
    await server.reset(snapshot);
    assert.notEqual(await get(`${configMaps}/owned`), undefined);
    await remove(`${configMaps}/top`, 'Background');
    await until(`${configMaps}/owned`, gone);
  });
});
