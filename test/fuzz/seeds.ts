import type { GroupVersionKind } from '../../src/machinery/type-model.ts';

/** Valid objects that inputs are made from: between them every scalar type, maps, lists, variants, raw values and managed fields. */
export interface Seed extends GroupVersionKind {
  readonly object: Record<string, unknown>;
}

const metadata = {
  name: 'web',
  namespace: 'default',
  generation: 9007199254740993n,
  creationTimestamp: '2024-05-01T10:00:00Z',
  labels: { app: 'web', 'example.com/tier': 'front' },
  annotations: { note: 'text with "quotes", <tags> and é😀\nlines', '1': 'one', '10': 'ten' },
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'a-b', controller: true }],
  managedFields: [
    {
      manager: 'kubectl',
      operation: 'Apply',
      apiVersion: 'v1',
      time: '2024-05-01T10:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } },
    },
  ],
};

const template = {
  metadata: { labels: { app: 'web' } },
  spec: {
    volumes: [
      { name: 'config', configMap: { name: 'web', defaultMode: 420 } },
      { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
    ],
    containers: [
      {
        name: 'main',
        image: 'example.com/web:1.2.3',
        args: ['--port=80', '-v'],
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        env: [{ name: 'A', value: 'b' }],
        resources: { limits: { cpu: '500m', memory: '128Mi' } },
        livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10 },
        securityContext: { runAsUser: 1000, readOnlyRootFilesystem: true },
      },
    ],
    tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', tolerationSeconds: 300 }],
  },
};

export const seeds: readonly Seed[] = [
  seed('', 'v1', 'ConfigMap', { immutable: true, data: { a: '1', b: 'x\ny\n' }, binaryData: { c: 'AAEC' } }),
  seed('', 'v1', 'Secret', { type: 'Opaque', data: { password: 'cGFzc3dvcmQ=' } }),
  seed('', 'v1', 'Service', {
    spec: {
      ports: [
        { name: 'http', port: 80, targetPort: 8080 },
        { port: 443, targetPort: 'tls' },
      ],
      selector: { app: 'web' },
    },
  }),
  seed('', 'v1', 'Pod', template),
  seed('', 'v1', 'Event', {
    eventTime: '2024-05-01T10:00:00.123456Z',
    series: { count: 2, lastObservedTime: '2024-05-01T10:00:00.000001Z' },
    count: 3,
    involvedObject: { kind: 'Pod' },
  }),
  seed('apps', 'v1', 'Deployment', {
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template,
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
    },
  }),
  seed('apps', 'v1', 'ControllerRevision', { data: { spec: { template, weight: 1.5, flags: [true, null] } }, revision: 7 }),
  seed('coordination.k8s.io', 'v1', 'Lease', {
    spec: { holderIdentity: 'x', leaseDurationSeconds: 15, renewTime: '2024-05-01T10:00:00.123456Z' },
  }),
  seed('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', {
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  additionalProperties: true,
                  properties: { size: { type: 'integer', maximum: 10.5, default: 3, enum: [1, 'two', null] } },
                },
              },
              items: { type: 'string' },
              'x-kubernetes-validations': [{ rule: 'self.size > 0' }],
            },
          },
        },
      ],
    },
  }),
];

function seed(group: string, version: string, kind: string, body: Record<string, unknown>): Seed {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { group, version, kind, object: { kind, apiVersion, metadata, ...body } };
}
