import type { Subject } from '../subject.ts';

const environment = Array.from({ length: 8 }, (_, index) => ({ name: `SETTING_${index}`, value: `value-${index}` }));

/** What a Deployment's template looks like in practice: two containers with probes, limits, mounts and a security context. */
export const pods: Subject = {
  collection: (namespace) => `/api/v1/namespaces/${namespace}/pods`,
  body: (namespace, name, value) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app: 'bench', tier: 'backend' }, annotations: { 'bench/value': value } },
    spec: {
      // What admission would add is here, so that an update sends back what was stored.
      automountServiceAccountToken: false,
      serviceAccountName: 'default',
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
      securityContext: { runAsNonRoot: true, fsGroup: 2000 },
      initContainers: [{ name: 'prepare', image: 'registry.example/prepare:1', command: ['sh', '-c', 'true'] }],
      containers: [
        {
          name: 'main',
          image: 'registry.example/main:1',
          args: ['--listen=:8080', '--verbose'],
          env: environment,
          ports: [{ name: 'http', containerPort: 8080 }],
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
          readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
          livenessProbe: { httpGet: { path: '/live', port: 8080 }, initialDelaySeconds: 10 },
          volumeMounts: [
            { name: 'config', mountPath: '/etc/config', readOnly: true },
            { name: 'scratch', mountPath: '/tmp' },
          ],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
        { name: 'sidecar', image: 'registry.example/sidecar:1', env: environment },
      ],
      volumes: [
        { name: 'config', configMap: { name: 'config' } },
        { name: 'scratch', emptyDir: {} },
      ],
      tolerations: ['not-ready', 'unreachable'].map((reason) => ({
        key: `node.kubernetes.io/${reason}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      nodeSelector: { 'kubernetes.io/os': 'linux' },
    },
  }),
  async furnish(client, namespace) {
    const bytes = JSON.stringify({ metadata: { name: 'default' } });
    await client.request('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { type: 'application/json', bytes });
  },
  change: (value) => ({ metadata: { annotations: { 'bench/value': value }, labels: { value } } }),
  jsonPatch: (value) => [{ op: 'replace', path: '/metadata/annotations/bench~1value', value }],
};
