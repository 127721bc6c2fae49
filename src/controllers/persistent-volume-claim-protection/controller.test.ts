import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PersistentVolumeClaim } from '../../schema/types/core-v1.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const merge = { 'content-type': 'application/merge-patch+json' };
const claimsPath = '/api/v1/namespaces/default/persistentvolumeclaims';
const podsPath = '/api/v1/namespaces/default/pods';

describe('the controllers that protect volumes', { timeout: 60_000 }, () => {
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({
      controllers: ['persistentvolumeclaim-protection-controller', 'persistentvolume-protection-controller', 'serviceaccount-controller'],
    });
    client = new RawClient(server);
    while ((await client.call('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status !== 200) await pause();
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
  const create = async (path: string, body: object): Promise<void> => {
    const { status, text } = await client.call('POST', path, { body });
    assert.equal(status, 201, text);
  };
  const untilGone = async (path: string): Promise<void> => {
    while ((await client.call('GET', path)).status !== 404) await pause();
  };
  const claim = (name: string): object => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  const pod = (name: string, claimName: string, nodeName?: string): object => ({
    metadata: { name },
    spec: {
      ...(nodeName && { nodeName }),
      containers: [{ name: 'c', image: 'x' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
    },
  });

  test('let a claim go that no pod uses', async () => {
    await create(claimsPath, claim('unused'));
    await client.call('DELETE', `${claimsPath}/unused`);
    await untilGone(`${claimsPath}/unused`);
  });

  test('keep a claim while a pod on a node uses it, and let it go with the pod', async () => {
    await create(claimsPath, claim('used'));
    await create('/api/v1/nodes', { metadata: { name: 'node' } });
    await create(podsPath, pod('user', 'used', 'node'));
    await create(podsPath, pod('unscheduled', 'used'));
    await client.call('DELETE', `${claimsPath}/used`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await client.call('GET', `${claimsPath}/used`)).status, 200);
    await client.call('DELETE', `${podsPath}/user?gracePeriodSeconds=0`);
    await untilGone(`${claimsPath}/used`);
  });

  test('say of a bound claim whether pods use it', async () => {
    await create(claimsPath, claim('bound'));
    await client.call('PATCH', `${claimsPath}/bound/status`, { headers: merge, body: { status: { phase: 'Bound' } } });
    const condition = async (): Promise<string | undefined> => {
      const { status } = await client.json<PersistentVolumeClaim>('GET', `${claimsPath}/bound`);
      return status.conditions?.find(({ type }) => type === 'Unused')?.reason;
    };
    while ((await condition()) !== 'NoPodsUsingPVC') await pause();
    await create(podsPath, pod('waiting', 'bound'));
    while ((await condition()) !== 'PodUsingPVC') await pause();
  });

  test('let a volume go unless it is bound', async () => {
    const volume = {
      metadata: { name: 'pv' },
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } },
    };
    await create('/api/v1/persistentvolumes', volume);
    await client.call('PATCH', '/api/v1/persistentvolumes/pv/status', { headers: merge, body: { status: { phase: 'Bound' } } });
    await client.call('DELETE', '/api/v1/persistentvolumes/pv');
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await client.call('GET', '/api/v1/persistentvolumes/pv')).status, 200);
    await client.call('PATCH', '/api/v1/persistentvolumes/pv/status', { headers: merge, body: { status: { phase: 'Released' } } });
    await untilGone('/api/v1/persistentvolumes/pv');
  });
});
