import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodSpec } from '../../../schema/types/core-v1.ts';
import { defaultPodOnly, defaultPodSpec } from './defaults.ts';

function spec(more: Partial<PodSpec> = {}): PodSpec {
  return { containers: [{ name: 'main', image: 'nginx', resources: {} }], ...more };
}

test('defaultPodSpec() fills in what every pod has', () => {
  const pod = spec();
  defaultPodSpec(pod);
  assert.deepEqual(pod, {
    containers: [
      {
        name: 'main',
        image: 'nginx',
        imagePullPolicy: 'Always',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ],
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
});

test('defaultPodSpec() keeps the two names of the service account equal', () => {
  const pod = spec({ serviceAccount: 'old' });
  defaultPodSpec(pod);
  assert.equal(pod.serviceAccountName, 'old');
  const both = spec({ serviceAccount: 'old', serviceAccountName: 'new' });
  defaultPodSpec(both);
  assert.equal(both.serviceAccount, 'new');
});

test('defaultPodSpec() rounds resources up to a thousandth', () => {
  const pod = spec({ overhead: { cpu: '100u' } });
  defaultPodSpec(pod);
  assert.deepEqual(pod.overhead, { cpu: '1m' });
});

test('defaultPodSpec() makes a volume without source an emptyDir and completes the others', () => {
  const pod = spec({ volumes: [{ name: 'a' }, { name: 'b', configMap: { name: 'c' } }, { name: 'd', hostPath: { path: '/x' } }] });
  defaultPodSpec(pod);
  assert.deepEqual(pod.volumes, [
    { name: 'a', emptyDir: {} },
    { name: 'b', configMap: { name: 'c', defaultMode: 420 } },
    { name: 'd', hostPath: { path: '/x', type: '' } },
  ]);
});

test('defaultPodSpec() completes probes', () => {
  const pod = spec({ containers: [{ name: 'main', resources: {}, readinessProbe: { httpGet: { port: 80 } } }] });
  defaultPodSpec(pod);
  assert.deepEqual(pod.containers?.[0]?.readinessProbe, {
    httpGet: { port: 80, path: '/', scheme: 'HTTP' },
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
});

test('defaultPodOnly() takes requests from limits and host ports from the host network', () => {
  const pod = spec({
    hostNetwork: true,
    terminationGracePeriodSeconds: -5,
    containers: [
      { name: 'main', resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } }, ports: [{ containerPort: 80 }] },
    ],
  });
  defaultPodOnly(pod);
  assert.deepEqual(pod.containers?.[0]?.resources.requests, { cpu: '500m', memory: '1Gi' });
  assert.equal(pod.containers?.[0]?.ports?.[0]?.hostPort, 80);
  assert.equal(pod.terminationGracePeriodSeconds, 1);
  assert.equal(pod.enableServiceLinks, true);
});
