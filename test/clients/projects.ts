import type { GoModule } from '../../tools/go-module.ts';
import type { ScriptedKind } from './kinds.ts';

/** A project whose definitions of custom resources many clusters have, as its public Go module ships them. */
export interface Project {
  readonly name: string;
  readonly module: GoModule;
  /** of the definitions, in the module */
  readonly folder: string;
  readonly group: string;
  readonly kinds: readonly ScriptedKind[];
  /** fields to explain */
  readonly fields: readonly string[];
  /** an object with a scale */
  readonly scaled?: string;
}

export const projects: readonly Project[] = [
  {
    name: 'Gateway API',
    module: { name: 'sigs.k8s.io/gateway-api', version: 'v1.4.0' },
    folder: 'config/crd/standard',
    group: 'gateway.networking.k8s.io',
    fields: ['httproutes.spec.rules.matches', 'gateways.spec.listeners.tls', 'grpcroutes --recursive', 'gateways.spec.nonsense'],
    kinds: [
      {
        kind: 'Gateway',
        resource: 'gateways',
        manifest: 'gateway.yaml',
        name: 'entry',
        namespaced: true,
        edit: ['gatewayClassName: other', 'gatewayClassName: third'],
        patches: [
          { spec: { gatewayClassName: 'other' } },
          { spec: { gatewayClassName: 'other', infrastructure: { labels: { a: 'b' } } } },
          [{ op: 'replace', path: '/spec/listeners/0/port', value: 8081 }],
        ],
      },
      {
        kind: 'HTTPRoute',
        resource: 'httproutes',
        manifest: 'http-route.yaml',
        name: 'web',
        namespaced: true,
        edit: ['weight: 9', 'weight: 8'],
        patches: [
          { spec: { hostnames: ['strategic.example.com'] } },
          { spec: { hostnames: ['merge.example.com', 'second.example.com'] } },
          [{ op: 'add', path: '/spec/rules/0/timeouts', value: { request: '10s' } }],
        ],
      },
    ],
  },
  {
    name: 'Prometheus operator',
    module: { name: 'github.com/prometheus-operator/prometheus-operator', version: 'v0.85.0' },
    folder: 'example/prometheus-operator-crd',
    group: 'monitoring.coreos.com',
    fields: ['prometheuses.spec.remoteWrite', 'servicemonitors --recursive', 'alertmanagers.spec.storage'],
    scaled: 'prometheuses/metrics',
    kinds: [
      {
        kind: 'Prometheus',
        resource: 'prometheuses',
        manifest: 'prometheus.yaml',
        name: 'metrics',
        namespaced: true,
        edit: ['retention: 15d', 'retention: 20d'],
        patches: [
          { spec: { replicas: 4 } },
          { spec: { logLevel: 'debug', resources: { limits: { cpu: 2 } } } },
          [{ op: 'replace', path: '/spec/containers/0/image', value: 'example.com/sidecar:2' }],
        ],
      },
      {
        kind: 'ServiceMonitor',
        resource: 'servicemonitors',
        manifest: 'service-monitor.yaml',
        name: 'web',
        namespaced: true,
        edit: ['interval: 30s', 'interval: 60s'],
        patches: [
          { spec: { jobLabel: 'strategic' } },
          { spec: { jobLabel: 'merge', sampleLimit: 100 } },
          [{ op: 'remove', path: '/spec/endpoints/1' }],
        ],
      },
    ],
  },
  {
    name: 'Cluster API',
    module: { name: 'sigs.k8s.io/cluster-api', version: 'v1.14.2' },
    folder: 'core/config/crd/bases',
    group: 'cluster.x-k8s.io',
    fields: [
      'clusters.cluster.x-k8s.io.spec.topology',
      'machinesets --recursive --api-version=cluster.x-k8s.io/v1beta1',
      'machines.status',
    ],
    scaled: 'machinedeployments/workers',
    kinds: [
      {
        kind: 'Cluster',
        resource: 'clusters.cluster.x-k8s.io',
        manifest: 'cluster.yaml',
        name: 'east',
        namespaced: true,
        edit: ['port: 6443', 'port: 6444'],
        patches: [
          { spec: { paused: true } },
          { spec: { paused: true, clusterNetwork: { apiServerPort: 6443 } } },
          [{ op: 'remove', path: '/spec/paused' }],
        ],
      },
      {
        kind: 'MachineDeployment',
        resource: 'machinedeployments',
        manifest: 'machine-deployment.yaml',
        name: 'workers',
        namespaced: true,
        edit: ['version: v1.37.1', 'version: v1.37.2'],
        patches: [
          { spec: { replicas: 4 } },
          { spec: { template: { metadata: { annotations: { merge: 'yes' } } }, deletion: { order: 'Oldest' } } },
          [{ op: 'replace', path: '/spec/template/spec/version', value: 'nonsense' }],
        ],
      },
    ],
  },
];
