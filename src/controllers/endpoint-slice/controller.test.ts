import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeClient } from '../../index.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { eventually } from '../../../test/support/eventually.ts';

type Slice = Kind<'discovery.k8s.io/v1', 'EndpointSlice'>;

describe('endpointslice-controller', { timeout: 60_000 }, () => {
  let server: TestServer;
  let client: KubeClient;

  before(async () => {
    server = await startTestServer({ controllers: true });
    client = server.client();
    const labels = { 'topology.kubernetes.io/zone': 'east' };
    await client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node', labels } });
  });

  after(() => server.stop());

  async function namespace(name: string): Promise<void> {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await client.resource('v1', 'ServiceAccount', name).waitFor('default', (account) => account !== undefined);
  }

  async function pod(where: string, name: string, ip: string, { ready = true, ...spec }: Record<string, unknown> = {}): Promise<void> {
    const pods = client.resource('v1', 'Pod', where);
    const containers = [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort: name.startsWith('b') ? 8081 : 8080 }] }];
    const made = await pods.create({ metadata: { name, labels: { app: 'a' } }, spec: { nodeName: 'node', containers, ...spec } });
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2030-01-01T00:00:00Z' }];
    const status = { ...made.status, phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions } as typeof made.status;
    await pods.update({ ...made, status }, { subresource: 'status' });
  }

  const service = (where: string, name: string, more: object = {}) =>
    client.resource('v1', 'Service', where).create({
      metadata: { name, labels: { tier: 'front' } },
      spec: { selector: { app: 'a' }, ports: [{ name: 'http', port: 80, targetPort: 'web' }], ...more },
    });

  const slices = async (where: string): Promise<Slice[]> =>
    (await client.resource('discovery.k8s.io/v1', 'EndpointSlice', where).list()).items;
  const addresses = (slice: Slice): string[] => (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []).toSorted();
  /** Slices once they are as the condition wants them. */
  const until = (where: string, what: string, holds: (all: Slice[]) => boolean): Promise<Slice[]> =>
    eventually(what, async () => {
      const all = await slices(where);
      return holds(all) ? all : undefined;
    });

  test('tells of the pods that a service selects, with their ports, node and zone', async () => {
    await namespace('a');
    const made = await service('a', 's');
    const [placeholder] = await until('a', 'a slice without endpoints', (all) => all.length === 1);
    assert.deepEqual(placeholder?.ports ?? [], []);
    await pod('a', 'a1', '10.0.0.1');
    await pod('a', 'a2', '10.0.0.2', { ready: false });
    const all = await until('a', 'two endpoints', ([slice]) => slice?.endpoints?.length === 2);
    assert.equal(all.length, 1);
    const [slice] = all as [Slice];
    assert.equal(slice.metadata.name, placeholder?.metadata.name);
    assert.deepEqual(slice.metadata.labels, {
      tier: 'front',
      'kubernetes.io/service-name': 's',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    });
    assert.deepEqual(slice.metadata.ownerReferences, [
      { apiVersion: 'v1', kind: 'Service', name: 's', uid: made.metadata.uid, controller: true, blockOwnerDeletion: true },
    ]);
    assert.deepEqual(slice.ports, [{ name: 'http', port: 8080, protocol: 'TCP' }]);
    const shown = (slice.endpoints ?? []).map(({ addresses: own, conditions, nodeName, zone }) => ({
      ip: own?.[0],
      ...conditions,
      nodeName,
      zone,
    }));
    assert.deepEqual(
      shown.toSorted((left, right) => String(left.ip).localeCompare(String(right.ip))),
      [
        { ip: '10.0.0.1', ready: true, serving: true, terminating: false, nodeName: 'node', zone: 'east' },
        { ip: '10.0.0.2', ready: false, serving: false, terminating: false, nodeName: 'node', zone: 'east' },
      ],
    );
    await client.resource('v1', 'Pod', 'a').delete('a1', { gracePeriodSeconds: 30 });
    await until(
      'a',
      'a terminating endpoint',
      ([one]) => one?.endpoints?.some(({ conditions }) => conditions.terminating && !conditions.ready) ?? false,
    );
    await client.resource('v1', 'Pod', 'a').delete('a1', { gracePeriodSeconds: 0 });
    await until('a', 'one endpoint left', ([one]) => one?.endpoints?.length === 1);
    await client.resource('v1', 'Service', 'a').delete('s');
    await until('a', 'no slice left', (left) => left.length === 0);
  });

  test('has a slice for each set of ports, hostnames under headless services, and hints where they are asked for', async () => {
    await namespace('b');
    await pod('b', 'a1', '10.0.1.1', { hostname: 'first', subdomain: 'h' });
    await pod('b', 'b1', '10.0.1.2', { ready: false });
    await service('b', 'h', { clusterIP: 'None', publishNotReadyAddresses: true, trafficDistribution: 'PreferSameNode' });
    const all = await until('b', 'two slices', (found) => found.length === 2);
    const byPort = new Map(all.map((slice) => [slice.ports?.[0]?.port, slice]));
    assert.deepEqual(byPort.get(8080)?.endpoints?.[0]?.hostname, 'first');
    const late = byPort.get(8081)?.endpoints?.[0];
    assert.deepEqual(late?.conditions, { ready: true, serving: false, terminating: false });
    assert.deepEqual(late?.hints, { forZones: [{ name: 'east' }], forNodes: [{ name: 'node' }] });
    assert.ok(all.every(({ metadata }) => metadata.labels?.['service.kubernetes.io/headless'] === ''));
  });

  test('has at most a hundred endpoints in a slice', async () => {
    await namespace('c');
    for (let i = 0; i < 101; i++) await pod('c', `a${i}`, `10.1.0.${i}`);
    await service('c', 's');
    const all = await until('c', 'two slices', (found) => found.flatMap(addresses).length === 101);
    // How they are divided depends on how many of the pods were seen before the service.
    assert.equal(all.length, 2);
    assert.ok(all.every((slice) => (slice.endpoints?.length ?? 0) <= 100));
    assert.equal(new Set(all.flatMap(addresses)).size, 101);
  });

  test('leaves out pods on nodes that are not there, until they are', async () => {
    await namespace('d');
    await pod('d', 'a1', '10.0.2.1', { nodeName: 'later' });
    await pod('d', 'a2', '10.0.2.2');
    await service('d', 's');
    const all = await until('d', 'one endpoint', (found) => found.flatMap(addresses).length > 0);
    assert.deepEqual(all.flatMap(addresses), ['10.0.2.2']);
    await client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'later' } });
    await until('d', 'both endpoints', (found) => found.flatMap(addresses).length === 2);
  });

  test('puts right what others change, and makes again what they delete', async () => {
    await namespace('e');
    await pod('e', 'a1', '10.0.3.1');
    await service('e', 's');
    const [slice] = (await until('e', 'an endpoint', (found) => found.flatMap(addresses).length === 1)) as [Slice];
    const resource = client.resource('discovery.k8s.io/v1', 'EndpointSlice', 'e');
    await resource.update({ ...slice, endpoints: [{ addresses: ['10.9.9.9'], conditions: {} }] });
    await until('e', 'the right endpoint', (found) => found.flatMap(addresses).join() === '10.0.3.1');
    await resource.delete(slice.metadata.name ?? '');
    await until('e', 'a new slice', (found) => found.some(({ metadata }) => metadata.uid !== slice.metadata.uid));
    assert.equal((await slices('e')).length, 1);
  });
});
