import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PersistentVolumeClaim } from '../../schema/types/core-v1.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const merge = { 'content-type': 'application/merge-patch+json' };
const claimsPath = '/api/v1/namespaces/default/persistentvolumeclaims';
const podsPath = '/api/v1/namespaces/default/pods';

describe('the controller that protects claims', () => {
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({
      controllers: ['persistentvolumeclaim-protection-controller', 'serviceaccount-controller'],
    });
    client = new RawClient(server);
    await untilStatus('/api/v1/namespaces/default/serviceaccounts/default', 200);
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  const untilStatus = (path: string, status: number): Promise<true> =>
    eventually(`${path} is ${status}`, async () => ((await client.call('GET', path)).status === status ? true : undefined));
  const untilGone = (path: string): Promise<true> => untilStatus(path, 404);
  const create = async (path: string, body: object): Promise<void> => {
    const { status, text } = await client.call('POST', path, { body });
    assert.equal(status, 201, text);
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

  test('lets a claim go that no pod uses', async () => {
    await create(claimsPath, claim('unused'));
    await client.call('DELETE', `${claimsPath}/unused`);
    await untilGone(`${claimsPath}/unused`);
  });

  test('keeps a claim while a pod on a node uses it, and lets it go with the pod', async () => {
    await create(claimsPath, claim('used'));
    await create('/api/v1/nodes', { metadata: { name: 'node' } });
    await create(podsPath, pod('user', 'used', 'node'));
    await create(podsPath, pod('unscheduled', 'used'));
    await client.call('DELETE', `${claimsPath}/used`);
    // The controller has dealt with the first claim once it has dealt with a second one.
    await create(claimsPath, claim('second'));
    await client.call('DELETE', `${claimsPath}/second`);
    await untilGone(`${claimsPath}/second`);
    assert.equal((await client.call('GET', `${claimsPath}/used`)).status, 200);
    await client.call('DELETE', `${podsPath}/user?gracePeriodSeconds=0`);
    await untilGone(`${claimsPath}/used`);
  });

  test('says of a bound claim whether pods use it', async () => {
    await create(claimsPath, claim('bound'));
    await client.call('PATCH', `${claimsPath}/bound/status`, { headers: merge, body: { status: { phase: 'Bound' } } });
    const untilReason = (reason: string): Promise<true> =>
      eventually(`the reason is ${reason}`, async () => {
        const { status } = await client.json<PersistentVolumeClaim>('GET', `${claimsPath}/bound`);
        return status.conditions?.find(({ type }) => type === 'Unused')?.reason === reason ? true : undefined;
      });
    await untilReason('NoPodsUsingPVC');
    await create(podsPath, pod('waiting', 'bound'));
    await untilReason('PodUsingPVC');
  });
});
