import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeClient } from '../../index.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { allSteps } from '../../base/steps.ts';
import { subsetsOf, truncated } from './subsets.ts';

type Endpoints = Kind<'v1', 'Endpoints'>;

describe('endpoints-controller', { timeout: 60_000 }, () => {
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

  async function pod(where: string, name: string, ip: string, ready: boolean): Promise<void> {
    const pods = client.resource('v1', 'Pod', where);
    const containers = [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort: 8080 }] }];
    const made = await pods.create({ metadata: { name, labels: { app: 'a' } }, spec: { nodeName: 'n', containers } });
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2030-01-01T00:00:00Z' }];
    const status = { ...made.status, phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions } as typeof made.status;
    await pods.update({ ...made, status }, { subresource: 'status' });
  }

  const service = (where: string, name: string, more: object = {}) =>
    client.resource('v1', 'Service', where).create({
      metadata: { name, labels: { tier: 'front' } },
      spec: { selector: { app: 'a' }, ports: [{ name: 'http', port: 80, targetPort: 'web' }], ...more },
    });
  const ips = (endpoints: Endpoints | undefined, ready: boolean): string =>
    (endpoints?.subsets ?? [])
      .flatMap(({ addresses = [], notReadyAddresses = [] }) => (ready ? addresses : notReadyAddresses))
      .map(({ ip }) => ip)
      .join();

  test('tells of ready pods and of those that are not', async () => {
    await namespace('a');
    const all = client.resource('v1', 'Endpoints', 'a');
    await service('a', 's');
    const empty = await all.waitFor('s', (endpoints) => endpoints !== undefined);
    assert.deepEqual(empty?.metadata.labels, { tier: 'front', 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' });
    assert.equal(empty?.subsets, undefined);
    await pod('a', 'one', '10.0.0.2', true);
    await pod('a', 'two', '10.0.0.1', true);
    await pod('a', 'three', '10.0.0.3', false);
    const full = await all.waitFor(
      's',
      (endpoints) => ips(endpoints, true) === '10.0.0.1,10.0.0.2' && ips(endpoints, false) === '10.0.0.3',
    );
    assert.equal(full?.subsets?.length, 1);
    assert.deepEqual(full?.subsets?.[0]?.ports, [{ name: 'http', port: 8080, protocol: 'TCP' }]);
    assert.equal(full?.subsets?.[0]?.addresses?.[0]?.targetRef?.name, 'two');
    assert.equal(full?.subsets?.[0]?.addresses?.[0]?.nodeName, 'n');
    await client.resource('v1', 'Pod', 'a').delete('one', { gracePeriodSeconds: 30 });
    await all.waitFor('s', (endpoints) => ips(endpoints, true) === '10.0.0.1');
    await client.resource('v1', 'Service', 'a').delete('s');
    await all.waitFor('s', 'deleted');
  });

  test('leaves services without a selector alone, and the Endpoints of theirs', async () => {
    await namespace('b');
    const all = client.resource('v1', 'Endpoints', 'b');
    const subsets = [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80, protocol: 'TCP' }] }];
    await client.resource('v1', 'Service', 'b').create({ metadata: { name: 'own' }, spec: { ports: [{ port: 80 }] } });
    await all.create({ metadata: { name: 'own' }, subsets });
    await service('b', 'other');
    await all.waitFor('other', (endpoints) => endpoints !== undefined);
    assert.deepEqual((await all.get('own')).subsets, subsets);
    assert.equal((await all.get('own')).metadata.labels?.['endpoints.kubernetes.io/managed-by'], undefined);
  });

  test('publishes pods that are not ready as ready where the service wants it, headless and without ports too', async () => {
    await namespace('c');
    await pod('c', 'one', '10.0.1.1', false);
    await service('c', 'h', { clusterIP: 'None', ports: [], publishNotReadyAddresses: true });
    const made = await client.resource('v1', 'Endpoints', 'c').waitFor('h', (endpoints) => ips(endpoints, true) === '10.0.1.1');
    assert.equal(made?.metadata.labels?.['service.kubernetes.io/headless'], '');
    assert.equal(made?.subsets?.[0]?.ports, undefined);
  });

  test('makes Endpoints again that somebody deletes', async () => {
    await namespace('d');
    await service('d', 's');
    const all = client.resource('v1', 'Endpoints', 'd');
    const first = await all.waitFor('s', (endpoints) => endpoints !== undefined);
    await all.delete('s');
    await all.waitFor('s', (endpoints) => endpoints !== undefined && endpoints.metadata.uid !== first?.metadata.uid);
  });
});

describe('subsets', () => {
  const addresses = (count: number, from: string): { ip: string }[] => Array.from({ length: count }, (_, at) => ({ ip: `${from}${at}` }));

  test('truncated() keeps a thousand addresses, those of ready pods first', () => {
    assert.equal(truncated([{ addresses: addresses(1000, 'a') }]), undefined);
    const cut = truncated([
      { addresses: addresses(900, 'a'), notReadyAddresses: addresses(300, 'b') },
      { notReadyAddresses: addresses(100, 'c') },
    ]);
    assert.deepEqual(
      cut?.map((subset) => [subset.addresses?.length, subset.notReadyAddresses?.length]),
      [
        [900, 75],
        [0, 25],
      ],
    );
    const ready = truncated([
      { addresses: addresses(1500, 'a'), notReadyAddresses: addresses(5, 'b') },
      { addresses: addresses(500, 'c') },
    ]);
    assert.deepEqual(
      ready?.map((subset) => [subset.addresses?.length, subset.notReadyAddresses]),
      [
        [750, undefined],
        [250, undefined],
      ],
    );
  });

  test('subsetsOf() has one subset for pods with other ports than the rest', () => {
    const pod = (name: string, ip: string, containerPort: number) => ({
      metadata: { name, namespace: 'x', uid: name },
      spec: { nodeName: 'n', containers: [{ name: 'c', ports: [{ name: 'web', containerPort, protocol: 'TCP' }] }] },
      status: { podIPs: [{ ip }], podIP: ip, conditions: [{ type: 'Ready', status: 'True' }] },
    });
    const ports = [
      { name: 'web', port: 80, targetPort: 'web', protocol: 'TCP' },
      { name: 'raw', port: 81, targetPort: 9000, protocol: 'TCP' },
    ];
    const service = { metadata: { name: 's', namespace: 'x' }, spec: { ports, ipFamilies: ['IPv4'], clusterIP: '10.0.0.1' } };
    const subsets = allSteps(subsetsOf(service as never, [pod('a', '10.0.0.1', 1), pod('b', '10.0.0.2', 2)] as never));
    const shown = subsets.map((subset) => [subset.addresses?.map(({ ip }) => ip).join(), subset.ports?.map(({ port }) => port).join()]);
    assert.deepEqual(shown.toSorted(), [
      ['10.0.0.1', '1'],
      ['10.0.0.1,10.0.0.2', '9000'],
      ['10.0.0.2', '2'],
    ]);
    const many = Array.from({ length: 2000 }, (_, index) => pod(`p${index}`, '10.0.0.1', 1));
    const pauses = subsetsOf(service as never, many as never).toArray().length;
    assert.ok(pauses > 8, `${pauses} pauses`);
  });
});
