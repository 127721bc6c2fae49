import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import type { PersistentVolume } from '../../schema/types/core-v1.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';

const volumes = '/api/v1/persistentvolumes';
const finalizer = 'kubernetes.io/pv-protection';
const headers = { 'content-type': 'application/merge-patch+json' };

describe('the controller that protects volumes', () => {
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({ controllers: ['persistentvolume-protection-controller'] });
    client = new RawClient(server);
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  async function create(name: string, finalizers: readonly string[] = []): Promise<void> {
    const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } };
    const { status, text } = await client.call('POST', volumes, { body: { metadata: { name, finalizers }, spec } });
    assert.equal(status, 201, text);
  }

  async function patch(name: string, body: object): Promise<void> {
    const { status, text } = await client.call('PATCH', `${volumes}/${name}`, { headers, body });
    assert.equal(status, 200, text);
  }

  const setPhase = (name: string, phase: string): Promise<void> => patch(`${name}/status`, { status: { phase } });
  const read = (name: string): Promise<PersistentVolume> => client.json('GET', `${volumes}/${name}`);
  const remove = (name: string): Promise<unknown> => client.call('DELETE', `${volumes}/${name}`);
  const gone = (name: string): Promise<true> =>
    eventually(`${name} is gone`, async () => ((await client.call('GET', `${volumes}/${name}`)).status === 404 ? true : undefined));

  test('lets a volume go that is not bound', async () => {
    await create('free');
    await remove('free');
    await gone('free');
  });

  test('keeps a volume while it is bound, and lets it go when it is released', async () => {
    await create('bound');
    await setPhase('bound', 'Bound');
    await remove('bound');
    // The controller has dealt with the first volume once it has dealt with a second one.
    await create('second');
    await remove('second');
    await gone('second');
    const { metadata } = await read('bound');
    assert.deepEqual([metadata.finalizers, typeof metadata.deletionTimestamp], [[finalizer], 'string']);
    await setPhase('bound', 'Released');
    await gone('bound');
  });

  test('protects a volume that lost its protection', async () => {
    await create('bare');
    await patch('bare', { metadata: { finalizers: null } });
    await eventually('the finalizer is back', async () =>
      (await read('bare')).metadata.finalizers?.includes(finalizer) ? true : undefined,
    );
  });

  test('leaves the finalizers of others', async () => {
    await create('held', ['example.com/hold']);
    await remove('held');
    const { metadata } = await eventually('the protection is gone', async () => {
      const volume = await read('held');
      return volume.metadata.finalizers?.includes(finalizer) ? undefined : volume;
    });
    assert.deepEqual(metadata.finalizers, ['example.com/hold']);
    await patch('held', { metadata: { finalizers: null } });
    await gone('held');
  });
});
