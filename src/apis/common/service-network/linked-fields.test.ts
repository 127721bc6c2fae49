import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceSpec } from '../../../schema/types/core-v1.ts';
import { dropFieldsOfOldType, keepAllocated, normalizeClusterIps } from './linked-fields.ts';
import type { ServiceObject } from './service-object.ts';

function service(spec: ServiceSpec): ServiceObject {
  return { metadata: { name: 'web' }, spec, status: { loadBalancer: {} } };
}

test('clusterIP alone fills in clusterIPs', () => {
  const created = service({ clusterIP: '10.0.0.7' });
  normalizeClusterIps(created, undefined);
  assert.deepEqual(created.spec.clusterIPs, ['10.0.0.7']);
});

test('a client that knows only clusterIP keeps or clears both', () => {
  const old = service({ type: 'ClusterIP', clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'] });
  const kept = service({ type: 'ClusterIP', clusterIP: '10.0.0.7' });
  normalizeClusterIps(kept, old);
  assert.deepEqual(kept.spec.clusterIPs, ['10.0.0.7']);
  const cleared = service({ type: 'ExternalName', clusterIPs: ['10.0.0.7'] });
  normalizeClusterIps(cleared, old);
  assert.equal(cleared.spec.clusterIPs, undefined);
});

test('an update that leaves out allocated values keeps them', () => {
  const old = service({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 32001,
    clusterIP: '10.0.0.7',
    clusterIPs: ['10.0.0.7'],
    ports: [{ name: 'http', port: 80, targetPort: 80, nodePort: 30080 }],
  });
  const updated = service({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ name: 'http', port: 8080, targetPort: 80 }] });
  keepAllocated(updated, old);
  assert.equal(updated.spec.clusterIP, '10.0.0.7');
  assert.equal(updated.spec.ports?.[0]?.nodePort, 30080);
  assert.equal(updated.spec.healthCheckNodePort, 32001);
});

test('fields that the new type has no use for go', () => {
  const old = service({
    type: 'NodePort',
    externalTrafficPolicy: 'Cluster',
    clusterIP: '10.0.0.7',
    clusterIPs: ['10.0.0.7'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports: [{ port: 80, targetPort: 80, nodePort: 30080 }],
  });
  const updated = service({ ...structuredClone(old.spec), type: 'ExternalName', externalName: 'example.com' });
  dropFieldsOfOldType(updated, old);
  assert.deepEqual(updated.spec, { type: 'ExternalName', externalName: 'example.com', ports: [{ port: 80, targetPort: 80 }] });
});
