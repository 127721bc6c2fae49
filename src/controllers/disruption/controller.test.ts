import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeClient } from '../../index.ts';
import type { TestServer } from '../../testing/index.ts';
import { ManualClock, startTestServer } from '../../testing/index.ts';

type Budget = Kind<'policy/v1', 'PodDisruptionBudget'>;
type Pod = Kind<'v1', 'Pod'>;

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly uid?: string };
}

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { app: 'a' } };

describe('disruption-controller', { timeout: 60_000 }, () => {
  const clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'));
  let server: TestServer;
  let client: KubeClient;

  before(async () => {
    server = await startTestServer({ clock, controllers: ['disruption-controller', 'serviceaccount-controller'] });
    client = server.client();
  });

  after(() => server.stop());

  async function namespace(name: string): Promise<void> {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await client.resource('v1', 'ServiceAccount', name).waitFor('default', (account) => account !== undefined);
  }

  async function pod(where: string, name: string, { ready = true, owner }: { ready?: boolean; owner?: Owner } = {}): Promise<Pod> {
    const pods = client.resource('v1', 'Pod', where);
    const { metadata: of = {}, apiVersion = '', kind = '' } = owner ?? {};
    const ownerReferences = owner && [{ apiVersion, kind, name: of.name ?? '', uid: of.uid ?? '', controller: true }];
    const made = await pods.create({
      metadata: { name, labels: { app: 'a' }, ...(ownerReferences && { ownerReferences }) },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
    });
    const conditions = [
      { type: 'Ready', status: ready ? 'True' : 'False', lastProbeTime: null, lastTransitionTime: '2030-01-01T00:00:00Z' },
    ];
    return pods.update({ ...made, status: { ...made.status, phase: 'Running', conditions } }, { subresource: 'status' });
  }

  const budgets = (where: string) => client.resource('policy/v1', 'PodDisruptionBudget', where);
  const says =
    (expectedPods: number, currentHealthy: number, desiredHealthy: number, disruptionsAllowed: number) =>
    (budget: Budget | undefined): boolean =>
      budget?.status.observedGeneration === budget?.metadata.generation &&
      budget?.status.expectedPods === expectedPods &&
      budget.status.currentHealthy === currentHealthy &&
      budget.status.desiredHealthy === desiredHealthy &&
      budget.status.disruptionsAllowed === disruptionsAllowed;
  const condition = (budget: Budget | undefined) => {
    const found = budget?.status.conditions?.find(({ type }) => type === 'DisruptionAllowed');
    return [found?.status, found?.reason, found?.message, found?.observedGeneration];
  };
  const evict = (where: string, name: string): Promise<Response> =>
    client.fetch(`/api/v1/namespaces/${where}/pods/${name}/eviction`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: where } }),
    });

  test('counts pods, lets as many be evicted as may be, and says so', async () => {
    await namespace('a');
    await budgets('a').create({ metadata: { name: 'b' }, spec: { minAvailable: 1, selector } });
    const empty = await budgets('a').waitFor('b', says(0, 0, 1, 0));
    assert.deepEqual(condition(empty), ['False', 'InsufficientPods', '', 1]);
    await pod('a', 'one');
    await pod('a', 'two');
    await pod('a', 'three', { ready: false });
    const full = await budgets('a').waitFor('b', says(3, 2, 1, 1));
    assert.deepEqual(condition(full), ['True', 'SufficientPods', '', 1]);
    assert.equal((await evict('a', 'one')).status, 201);
    await budgets('a').waitFor('b', says(3, 1, 1, 0));
    assert.equal((await evict('a', 'two')).status, 429);
  });

  test('percentages are of what the controllers of the pods want to have', async () => {
    await namespace('b');
    const deployment = await client
      .resource('apps/v1', 'Deployment', 'b')
      .create({ metadata: { name: 'd' }, spec: { replicas: 5, selector, template } });
    const sets = client.resource('apps/v1', 'ReplicaSet', 'b');
    const above = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: deployment.metadata.uid ?? '', controller: true };
    const owned = await sets.create({ metadata: { name: 'owned', ownerReferences: [above] }, spec: { replicas: 2, selector, template } });
    const alone = await client
      .resource('apps/v1', 'StatefulSet', 'b')
      .create({ metadata: { name: 's' }, spec: { replicas: 3, selector, serviceName: 's', template } });
    await pod('b', 'one', { owner: { ...owned, apiVersion: 'apps/v1', kind: 'ReplicaSet' } });
    await pod('b', 'two', { owner: { ...alone, apiVersion: 'apps/v1', kind: 'StatefulSet' } });
    await pod('b', 'unmanaged');
    await budgets('b').create({ metadata: { name: 'max' }, spec: { maxUnavailable: '70%', selector } });
    await budgets('b').create({ metadata: { name: 'min' }, spec: { minAvailable: '30%', selector } });
    await budgets('b').waitFor('max', says(8, 3, 2, 1));
    await budgets('b').waitFor('min', says(8, 3, 3, 0));
  });

  test('says why pods cannot be counted, and lets none go', async () => {
    await namespace('c');
    const job = await client.resource('batch/v1', 'Job', 'c').create({
      metadata: { name: 'j' },
      spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
    });
    await budgets('c').create({ metadata: { name: 'b' }, spec: { maxUnavailable: 1, selector } });
    await budgets('c').waitFor('b', says(0, 0, 0, 0));
    const failsWith = async (message: string): Promise<void> => {
      const failed = await budgets('c').waitFor('b', (budget) => condition(budget)[2] === message);
      assert.deepEqual(condition(failed).slice(0, 2), ['False', 'SyncFailed']);
      assert.equal(failed?.status.disruptionsAllowed, 0);
    };
    await pod('c', 'one', { owner: { ...job, apiVersion: 'batch/v1', kind: 'Job' } });
    await failsWith('jobs.batch does not implement the scale subresource');
    await client.resource('v1', 'Pod', 'c').delete('one', { gracePeriodSeconds: 0 });
    await pod('c', 'two', { owner: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', uid: 'w' } } });
    await failsWith('no matches for kind "Widget" in version "example.com/v1"');
    await client.resource('v1', 'Pod', 'c').delete('two', { gracePeriodSeconds: 0 });
    await pod('c', 'three', { owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'none', uid: 'none' } } });
    await failsWith('found no controllers for pod "three"');
    await client.resource('v1', 'Pod', 'c').delete('three', { gracePeriodSeconds: 0 });
    const again = await budgets('c').waitFor('b', (budget) => condition(budget)[1] === 'InsufficientPods');
    assert.equal(condition(again)[2], '');
  });

  test('a pod that was to be evicted and is still there counts again after two minutes', async () => {
    await namespace('d');
    await pod('d', 'one');
    await budgets('d').create({ metadata: { name: 'b' }, spec: { minAvailable: 0, selector } });
    const counted = (await budgets('d').waitFor('b', says(1, 1, 0, 1))) as Budget;
    const disruptedPods = { one: '2030-01-01T00:00:00Z', gone: '2030-01-01T00:00:00Z' };
    await budgets('d').update({ ...counted, status: { ...counted.status, disruptedPods } }, { subresource: 'status' });
    const less = await budgets('d').waitFor('b', says(1, 0, 0, 0));
    assert.deepEqual(less?.status.disruptedPods, { one: '2030-01-01T00:00:00Z' });
    clock.advance(121_000);
    const again = await budgets('d').waitFor('b', says(1, 1, 0, 1));
    assert.equal(again?.status.disruptedPods, undefined);
  });

  test('a pod does not say for ever that it is about to be disrupted', async () => {
    await namespace('e');
    const made = await pod('e', 'one');
    const target = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'X',
      lastProbeTime: null,
      lastTransitionTime: new Date(clock.now()).toISOString(),
    };
    const pods = client.resource('v1', 'Pod', 'e');
    await pods.update(
      { ...made, status: { ...made.status, conditions: [...(made.status.conditions ?? []), target] } },
      { subresource: 'status' },
    );
    const armed = clock.timers;
    for (let i = 0; i < 100 && clock.timers === armed; i++) await new Promise((resolve) => setTimeout(resolve, 5));
    clock.advance(121_000);
    const after = await pods.waitFor(
      'one',
      (one) => one?.status.conditions?.find(({ type }) => type === 'DisruptionTarget')?.status === 'False',
    );
    assert.equal(after?.status.conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason, undefined);
  });
});
