// Upstream: k8s.io/kubernetes/pkg/registry/core/componentstatus/rest.go
import { notFound } from '../../../machinery/errors.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';

/** What upstream asks the others' ports on this machine. Here only the store is known, and a server that responds has one. */
const components: readonly string[] = ['controller-manager', 'scheduler', 'etcd-0'];

const unreachable = (port: number): string =>
  `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`;

const failures: Readonly<Record<string, string>> = { 'controller-manager': unreachable(10257), scheduler: unreachable(10259) };

function statusOf(name: string): KubeObject {
  const failure = failures[name];
  const condition =
    failure === undefined ? { type: 'Healthy', status: 'True', message: 'ok' } : { type: 'Healthy', status: 'False', message: failure };
  return { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name }, conditions: [condition] };
}

interface Condition {
  readonly status: string;
  readonly message: string;
}

const conditionOf = (object: KubeObject): Condition | undefined => (object['conditions'] as readonly Condition[])[0];
const healthy = (object: KubeObject): boolean => conditionOf(object)?.status === 'True';

/** Deprecated since 1.19 and still asked for. */
export const componentStatuses = defineResource({
  group: '',
  plural: 'componentstatuses',
  virtual: {
    async get(name) {
      if (!components.includes(name)) throw notFound({ group: '', resource: 'componentstatus' }, name);
      return statusOf(name);
    },
    columns: [
      {
        name: 'Status',
        type: 'string',
        description: 'Status of the component conditions',
        cell: (object) => (healthy(object) ? 'Healthy' : 'Unhealthy'),
      },
      {
        name: 'Message',
        type: 'string',
        description: 'Message of the component conditions',
        cell: (object) => conditionOf(object)?.message ?? '',
      },
      { name: 'Error', type: 'string', description: 'Error of the component conditions', cell: () => '' },
    ],
    list: async () => components.map(statusOf),
  },
});
