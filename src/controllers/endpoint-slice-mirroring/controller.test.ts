import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeClient } from '../../index.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { EndpointsObject } from './mirror.ts';
import { planMirror, TooManyAddressesError } from './mirror.ts';

type Slice = Kind<'discovery.k8s.io/v1', 'EndpointSlice'>;

describe('endpointslice-mirroring-controller', { timeout: 60_000 }, () => {
  let server: TestServer;
  let client: KubeClient;

  before(async () => {
    server = await startTestServer({ controllers: ['endpointslice-mirroring-controller', 'endpoints-controller'] });
    client = server.client();
  });

  after(() => server.stop());

  const slices = () => client.resource('discovery.k8s.io/v1', 'EndpointSlice', 'default');
  const mirrored = async (service: string): Promise<Slice[]> => {
    const { items } = await slices().list({ labelSelector: `kubernetes.io/service-name=${service}` });
    return items ?? [];
  };
  const shown = async (service: string): Promise<string> =>
    (await mirrored(service))
      .map(
        ({ addressType, endpoints }) =>
          `${addressType} ${(endpoints ?? [])
            .map(({ addresses, conditions }) => `${addresses?.join()}${conditions?.ready ? '' : ' not ready'}`)
            .toSorted()
            .join(', ')}`,
      )
      .toSorted()
      .join('; ');
  const becomes = (service: string, wanted: string): Promise<true> =>
    eventually(`slices of ${service} are ${wanted || 'gone'}`, async () => ((await shown(service)) === wanted ? true : undefined));

  const create = async (name: string, subsets: object[], metadata: object = {}): Promise<void> => {
    await client.resource('v1', 'Service', 'default').create({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
    await client.resource('v1', 'Endpoints', 'default').create({ metadata: { name, ...metadata }, subsets } as never);
  };
  const subset = {
    addresses: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }],
    notReadyAddresses: [{ ip: '192.0.2.2' }],
    ports: [{ port: 80 }],
  };

  test('copies what people write, a slice for each family, and follows it', async () => {
    await create('followed', [subset]);
    await becomes('followed', 'IPv4 192.0.2.1, 192.0.2.2 not ready; IPv6 2001:db8::1');
    const [slice] = await mirrored('followed');
    assert.equal(slice?.metadata.ownerReferences?.[0]?.kind, 'Endpoints');
    await client
      .resource('v1', 'Endpoints', 'default')
      .patch('followed', { subsets: [{ addresses: [{ ip: '192.0.2.2' }], ports: [{ port: 80 }] }] });
    await becomes('followed', 'IPv4 192.0.2.2');
    await client.resource('v1', 'Endpoints', 'default').delete('followed');
    await becomes('followed', '');
  });

  test('puts slices right that others change or delete', async () => {
    await create('wronged', [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }]);
    await becomes('wronged', 'IPv4 192.0.2.1');
    const [slice] = await mirrored('wronged');
    await slices().patch(slice?.metadata.name ?? '', { endpoints: [{ addresses: ['192.0.2.99'] }] });
    await becomes('wronged', 'IPv4 192.0.2.1');
    await slices().delete(slice?.metadata.name ?? '');
    await becomes('wronged', 'IPv4 192.0.2.1');
  });

  test('takes its slices away when the service gets a selector', async () => {
    await create('selecting', [subset]);
    await becomes('selecting', 'IPv4 192.0.2.1, 192.0.2.2 not ready; IPv6 2001:db8::1');
    await client.resource('v1', 'Service', 'default').patch('selecting', { spec: { selector: { app: 'x' } } });
    await becomes('selecting', '');
  });

  test('leaves Endpoints alone that say so, and those that are locks', async () => {
    await create('skipped', [subset], { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } });
    await create('lock', [subset], { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } });
    await create('later', [subset]);
    await becomes('later', 'IPv4 192.0.2.1, 192.0.2.2 not ready; IPv6 2001:db8::1');
    assert.deepEqual([await shown('skipped'), await shown('lock')], ['', '']);
  });
});

test('a subset of 5,000 addresses is mirrored up to the thousandth', () => {
  const addresses = Array.from({ length: 5000 }, (_, index) => ({ ip: `10.1.${index >> 8}.${index & 255}` }));
  const endpoints: EndpointsObject = { metadata: { name: 's', namespace: 'n', uid: 'u' }, subsets: [{ addresses, ports: [{ port: 1 }] }] };
  const { create } = planMirror(endpoints, []);
  assert.deepEqual(
    create.map((slice) => slice.endpoints?.length),
    [1000],
  );
});

test('ports and addresses that multiply are refused before they take memory', () => {
  const addresses = Array.from({ length: 20_000 }, (_, index) => ({ ip: `10.1.${index >> 8}.${index & 255}` }));
  const ports = Array.from({ length: 20_000 }, (_, index) => ({ port: index + 1 }));
  const of = (subsets: EndpointsObject['subsets']): EndpointsObject => ({
    metadata: { name: 's', namespace: 'n', uid: 'u' },
    subsets: subsets ?? [],
  });
  // All ports have the same addresses: that is one slice.
  assert.equal(planMirror(of([{ addresses, ports }]), []).create.length, 1);
  const apart = ports.map((port) => ({ addresses: [{ ip: '192.0.2.1' }], ports: [port] }));
  assert.throws(() => planMirror(of([{ addresses, ports }, ...apart]), []), TooManyAddressesError);
});
