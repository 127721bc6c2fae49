/** The kinds that every scenario is played with, and what is particular to each. */
export interface ScriptedKind {
  readonly kind: string;
  readonly resource: string;
  readonly manifest: string;
  /** name of the manifest's object */
  readonly name: string;
  readonly namespaced: boolean;
  /** something an editor may change: what to look for, and what to put there */
  readonly edit: readonly [from: string, to: string];
  /** the same change, as a strategic, a merge and a JSON patch */
  readonly patches: readonly [strategic: object, merge: object, json: readonly object[]];
}

const label = (key: string): object => ({ metadata: { labels: { [key]: 'yes' } } });
const metadataPatches: ScriptedKind['patches'] = [
  label('strategic'),
  { metadata: { labels: { merge: 'yes', app: null } } },
  [
    { op: 'test', path: '/metadata/labels/merge', value: 'yes' },
    { op: 'replace', path: '/metadata/labels/merge', value: 'no' },
    { op: 'add', path: '/metadata/annotations', value: { json: 'yes' } },
  ],
];

export const scriptedKinds: readonly ScriptedKind[] = [
  {
    kind: 'ConfigMap',
    resource: 'configmaps',
    manifest: 'config-map.yaml',
    name: 'settings',
    namespaced: true,
    edit: ['color: blue', 'color: green'],
    patches: [{ data: { strategic: 'yes', color: null } }, { data: { merge: 'yes' } }, [{ op: 'remove', path: '/data/merge' }]],
  },
  {
    kind: 'Secret',
    resource: 'secrets',
    manifest: 'secret.yaml',
    name: 'password',
    namespaced: true,
    edit: ['user: YWRtaW4=', 'user: cm9vdA=='],
    patches: [{ stringData: { strategic: 'yes' } }, { data: { merge: 'eWVz' } }, [{ op: 'remove', path: '/data/merge' }]],
  },
  {
    kind: 'ServiceAccount',
    resource: 'serviceaccounts',
    manifest: 'service-account.yaml',
    name: 'builder',
    namespaced: true,
    edit: ['app: web', 'app: edited'],
    patches: [{ secrets: [{ name: 'other' }] }, { imagePullSecrets: null }, [{ op: 'remove', path: '/secrets/0' }]],
  },
  {
    kind: 'Namespace',
    resource: 'namespaces',
    manifest: 'namespace.yaml',
    name: 'team',
    namespaced: false,
    edit: ['team: red', 'team: green'],
    patches: metadataPatches,
  },
  {
    kind: 'Pod',
    resource: 'pods',
    manifest: 'pod.yaml',
    name: 'web',
    namespaced: true,
    edit: ['image: example.com/web:1.2', 'image: example.com/web:1.3'],
    patches: [
      { spec: { containers: [{ name: 'sidecar', image: 'example.com/sidecar:2' }] } },
      { spec: { activeDeadlineSeconds: 3600 } },
      [{ op: 'replace', path: '/spec/containers/0/image', value: 'example.com/web:1.4' }],
    ],
  },
  {
    kind: 'Service',
    resource: 'services',
    manifest: 'service.yaml',
    name: 'web',
    namespaced: true,
    edit: ['port: 80', 'port: 81'],
    patches: [
      { spec: { ports: [{ port: 53, protocol: 'UDP', targetPort: 5353 }] } },
      { spec: { sessionAffinity: 'ClientIP' } },
      [{ op: 'remove', path: '/spec/selector/app' }],
    ],
  },
  {
    kind: 'Deployment',
    resource: 'deployments',
    manifest: 'deployment.yaml',
    name: 'web',
    namespaced: true,
    edit: ['replicas: 2', 'replicas: 3'],
    patches: [
      { spec: { template: { spec: { containers: [{ name: 'server', env: [{ name: 'SIZE', value: 'big' }] }] } } } },
      { spec: { paused: true } },
      [{ op: 'replace', path: '/spec/replicas', value: 5 }],
    ],
  },
];
