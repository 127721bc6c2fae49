import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './availability.ts';

type Service = NonNullable<Parameters<typeof judge>[1]>;
type Slice = Parameters<typeof judge>[2][number];

const reference = { namespace: 'kube-system', name: 'metrics', port: 443 };
const where = 'service/metrics in "kube-system"';
const service = (port: number, type = 'ClusterIP'): Service =>
  ({ metadata: {}, spec: { type, ports: [{ name: 'https', port }] } }) as Service;
const slice = (ready: boolean, portName = 'https'): Slice =>
  ({
    metadata: {},
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready } }],
    ports: [{ name: portName, port: 4443 }],
  }) as Slice;

const cases: readonly [what: string, reason: string, message: string, service: Service | undefined, slices: readonly Slice[]][] = [
  ['no service', 'ServiceNotFound', `${where} is not present`, undefined, []],
  ['a service on another port', 'ServicePortError', `${where} is not listening on port 443`, service(80), [slice(true)]],
  ['a service without endpoints', 'EndpointsNotFound', `cannot find endpointslices for ${where}`, service(443), []],
  [
    'endpoints that are not ready',
    'MissingEndpoints',
    `endpointslices for ${where} have no addresses with port name "https"`,
    service(443),
    [slice(false)],
  ],
  [
    'endpoints of another port',
    'MissingEndpoints',
    `endpointslices for ${where} have no addresses with port name "https"`,
    service(443),
    [slice(true, 'http')],
  ],
];

for (const [what, reason, message, found, slices] of cases) {
  test(`with ${what} a group version is not available: ${reason}`, () => {
    assert.deepEqual(judge(reference, found, slices), { status: 'False', reason, message });
  });
}

test('ports of a service without cluster IP are not looked at', () => {
  assert.equal(judge(reference, service(80, 'ExternalName'), []), undefined);
});

test('a service with an endpoint that is ready has nothing against it', () => {
  assert.equal(judge(reference, service(443), [slice(false), slice(true)]), undefined);
});
