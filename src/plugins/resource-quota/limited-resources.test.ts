import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdmissionServer } from '../../../test/support/admission-server.ts';

const configuration = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'ResourceQuotaConfiguration',
  limitedResources: [
    { resource: 'pods', matchContains: ['pods', 'requests.cpu'] },
    { resource: 'pods', matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['cluster-services'] }] },
  ],
};
const pods = '/api/v1/namespaces/default/pods';
const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }], ...spec },
});
const start = (given: unknown): Promise<AdmissionServer> =>
  new AdmissionServer({ plugins: ['ResourceQuota'], configuration: { ResourceQuota: given } }).start();

test('what is limited may be consumed only where a quota covers it', async () => {
  await using server = await start(configuration);
  const message = async (object: object): Promise<string | undefined> => (await server.create(pods, object)).message;
  assert.equal(await message(pod('p')), 'pods "p" is forbidden: insufficient quota to consume: count/pods,pods,requests.cpu');
  await server.given('/api/v1/namespaces/default/resourcequotas', {
    metadata: { name: 'q' },
    spec: { hard: { 'count/pods': '5', pods: '5', 'requests.cpu': '5' } },
  });
  await server.patch('/api/v1/namespaces/default/resourcequotas/q/status', {
    status: { hard: { 'count/pods': '5', pods: '5', 'requests.cpu': '5' }, used: { 'count/pods': '0', pods: '0', 'requests.cpu': '0' } },
  });
  assert.equal(await message(pod('p')), undefined);
  const critical = pod('c', { priorityClassName: 'cluster-services' });
  assert.equal(
    await message(critical),
    'pods "c" is forbidden: insufficient quota to match these scopes: [{PriorityClass In [cluster-services]}]',
  );
});

test('a server does not start with a limit that names no resource', async () => {
  await assert.rejects(
    start({ ...configuration, limitedResources: [{ matchContains: ['x'] }] }),
    /couldn't init admission plugin "ResourceQuota": limitedResources\[0\].resource: Required value$/,
  );
});
