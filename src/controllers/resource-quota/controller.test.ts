import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeClient } from '../../index.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';

type Quota = Kind<'v1', 'ResourceQuota'>;

const pod = (name: string, cpu: string, more: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }], ...more },
});

describe('resourcequota-controller', { timeout: 60_000 }, () => {
  let server: TestServer;
  let client: KubeClient;

  before(async () => {
    server = await startTestServer({ controllers: true });
    client = server.client();
  });

  after(() => server.stop());

  async function namespace(name: string): Promise<void> {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await client.resource('v1', 'ServiceAccount', name).waitFor('default', (account) => account !== undefined);
  }

  const quotas = (name: string) => client.resource('v1', 'ResourceQuota', name);
  const uses =
    (used: Readonly<Record<string, string>>) =>
    (quota: Quota | undefined): boolean =>
      Object.entries(used).every(([name, amount]) => quota?.status.used?.[name] === amount);

  test('counts what is there, and what is freed can be used again', async () => {
    await namespace('a');
    const pods = client.resource('v1', 'Pod', 'a');
    await pods.create(pod('first', '250m'));
    await quotas('a').create({ metadata: { name: 'q' }, spec: { hard: { pods: '2', 'requests.cpu': '1', 'count/configmaps': '3' } } });
    const counted = await quotas('a').waitFor('q', uses({ pods: '1', 'requests.cpu': '250m', 'count/configmaps': '1' }));
    assert.deepEqual(counted?.status.hard, { pods: '2', 'requests.cpu': '1', 'count/configmaps': '3' });
    await pods.create(pod('second', '500m'));
    await assert.rejects(pods.create(pod('third', '1m')), /exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2/);
    await pods.delete('first', { gracePeriodSeconds: 0 });
    await quotas('a').waitFor('q', uses({ pods: '1', 'requests.cpu': '500m' }));
    await pods.create(pod('third', '1m'));
    await quotas('a').waitFor('q', uses({ pods: '2', 'requests.cpu': '501m' }));
  });

  test('quotas of many kinds that are made at once are all counted', async () => {
    await namespace('many');
    const limits = ['pods', 'services', 'secrets', 'configmaps', 'persistentvolumeclaims', 'replicationcontrollers', 'count/jobs.batch'];
    const more = [
      'count/deployments.apps',
      'count/replicasets.apps',
      'count/roles.rbac.authorization.k8s.io',
      'count/leases.coordination.k8s.io',
    ];
    const all = [...limits, ...more];
    await Promise.all(
      all.map((limit, index) => quotas('many').create({ metadata: { name: `q${index}` }, spec: { hard: { [limit]: '9' } } })),
    );
    for (const [index, limit] of all.entries())
      await quotas('many').waitFor(`q${index}`, (quota) => quota?.status.used?.[limit] !== undefined);
  });

  test('a pod that has finished is not counted any more', async () => {
    await namespace('b');
    const pods = client.resource('v1', 'Pod', 'b');
    await quotas('b').create({ metadata: { name: 'q' }, spec: { hard: { pods: '1', 'count/pods': '5' } } });
    await quotas('b').waitFor('q', uses({ pods: '0', 'count/pods': '0' }));
    const made = await pods.create(pod('done', '1m'));
    await pods.update({ ...made, status: { ...made.status, phase: 'Succeeded' } }, { subresource: 'status' });
    await quotas('b').waitFor('q', uses({ pods: '0', 'count/pods': '1' }));
  });

  test('a quota with scopes counts only what matches them', async () => {
    await namespace('c');
    const pods = client.resource('v1', 'Pod', 'c');
    await pods.create(pod('short', '1m', { activeDeadlineSeconds: 60 }));
    await pods.create(pod('long', '2m'));
    await quotas('c').create({ metadata: { name: 'q' }, spec: { hard: { 'requests.cpu': '1' }, scopes: ['Terminating'] } });
    await quotas('c').waitFor('q', uses({ 'requests.cpu': '1m' }));
  });

  test('limits that change are counted anew, and those that are gone are not in the status', async () => {
    await namespace('d');
    const made = await quotas('d').create({ metadata: { name: 'q' }, spec: { hard: { services: '1', secrets: '2' } } });
    await quotas('d').waitFor('q', uses({ services: '0', secrets: '0' }));
    await quotas('d').patch(made.metadata.name ?? '', [{ op: 'replace', path: '/spec/hard', value: { 'services.nodeports': '1' } }]);
    const changed = await quotas('d').waitFor('q', uses({ 'services.nodeports': '0' }));
    assert.deepEqual(changed?.status, { hard: { 'services.nodeports': '1' }, used: { 'services.nodeports': '0' } });
  });

  test('custom resources count, also those that are defined later', async () => {
    await namespace('e');
    await quotas('e').create({ metadata: { name: 'q' }, spec: { hard: { 'count/widgets.example.com': '5', pods: '1' } } });
    const unknown = await quotas('e').waitFor('q', uses({ pods: '0' }));
    assert.deepEqual(unknown?.status.used, { pods: '0' });
    const names = { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' };
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const definition = await client.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] },
    });
    await client.waitFor(definition, 'Established');
    await quotas('e').patch('q', { spec: { hard: { pods: '2' } } });
    await quotas('e').waitFor('q', uses({ 'count/widgets.example.com': '0' }));
    const widgets = client.resource('example.com/v1', 'Widget', 'e');
    await widgets.create({ metadata: { name: 'w' } });
    await quotas('e').waitFor('q', uses({ 'count/widgets.example.com': '1' }));
    await widgets.delete('w');
    await quotas('e').waitFor('q', uses({ 'count/widgets.example.com': '0' }));
  });

  test('where thousands go at once they are not counted for each of them', async () => {
    await namespace('f');
    const configMaps = client.resource('v1', 'ConfigMap', 'f');
    await quotas('f').create({ metadata: { name: 'q' }, spec: { hard: { 'count/configmaps': '5k' } } });
    await quotas('f').waitFor('q', uses({ 'count/configmaps': '1' }));
    const names = Array.from({ length: 1000 }, (_, index) => `c${index}`);
    for (let at = 0; at < names.length; at += 50)
      await Promise.all(names.slice(at, at + 50).map((name) => configMaps.create({ metadata: { name } })));
    await quotas('f').waitFor('q', uses({ 'count/configmaps': '1001' }));
    let counts = 0;
    const watching = new AbortController();
    const watched = (async () => {
      for await (const { type } of quotas('f').watch({ signal: watching.signal })) if (type === 'MODIFIED') counts++;
    })();
    await client.fetch('/api/v1/namespaces/f/configmaps', { method: 'DELETE' });
    // The root certificate comes back.
    await quotas('f').waitFor('q', uses({ 'count/configmaps': '1' }));
    watching.abort();
    await watched;
    assert.ok(counts < 450, `${counts} counts`);
  });

  test('a namespace with a quota goes away', async () => {
    await client.delete({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
    await client.resource('v1', 'Namespace').waitFor('a', 'deleted');
  });
});
