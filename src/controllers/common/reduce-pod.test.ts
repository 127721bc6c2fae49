import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reducePod } from './reduce-pod.ts';

test('a pod is kept without its managers, annotations and how its containers run', () => {
  const env = [
    { name: 'PLAIN', value: 'x' },
    { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
  ];
  const container = { name: 'c', image: 'i', command: ['run'], env, ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1' } } };
  const sidecar = { name: 's', restartPolicy: 'Always', envFrom: [{ secretRef: { name: 't' } }] };
  const kept = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', labels: { a: 'b' } },
    spec: { nodeName: 'n', volumes: [{ name: 'v', secret: { secretName: 'u' } }] },
    status: { phase: 'Running' },
  };
  const pod = {
    ...kept,
    metadata: { ...kept.metadata, annotations: { large: 'text' }, managedFields: [{ manager: 'm' }] },
    spec: { ...kept.spec, containers: [container], initContainers: [{ ...sidecar, workingDir: '/' }] },
  };
  assert.deepEqual(reducePod(pod), {
    ...kept,
    spec: {
      ...kept.spec,
      containers: [{ name: 'c', ports: container.ports, resources: container.resources, env: [env[1]] }],
      initContainers: [sidecar],
    },
  });
});
