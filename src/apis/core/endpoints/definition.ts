// Upstream: k8s.io/kubernetes/pkg/registry/core/endpoint/strategy.go
import { FieldPath } from '../../../machinery/field.ts';
import { warningsForIp } from '../../../machinery/ip-validation.ts';
import type { Endpoints } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { validate, validateUpdate } from './validation.ts';

type EndpointsObject = Endpoints & KubeObject;

const managedBy = 'endpoints.kubernetes.io/managed-by';
const controllerName = 'endpoint-controller';
const shownAddresses = 3;

export const endpoints = defineResource<EndpointsObject>({
  group: '',
  plural: 'endpoints',
  strategy: {
    allowCreateOnUpdate: true,
    defaults({ subsets }) {
      for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= 'TCP';
    },
    validate,
    validateUpdate,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
  },
  columns: [
    {
      name: 'Endpoints',
      type: 'string',
      description: docOf('io.k8s.api.core.v1.Endpoints', 'subsets'),
      cell: addresses,
    },
    ageColumn,
  ],
});

/** Addresses in a form that others may read differently. The controller's own are known to be clean. */
function warnings({ metadata, subsets = [] }: EndpointsObject): readonly string[] {
  if (metadata.labels?.[managedBy] === controllerName) return [];
  return subsets.flatMap((subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((field) =>
      (subset[field] ?? []).flatMap(({ ip }, at) =>
        warningsForIp(ip, FieldPath.root('subsets').index(index).child(field).index(at).child('ip')),
      ),
    ),
  );
}

/** `10.0.0.1:80,10.0.0.2:80 + 3 more...` */
function addresses({ subsets = [] }: EndpointsObject): string {
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap(({ addresses: ready = [], ports = [] }) =>
    ports.length === 0 ? ready.map(({ ip }) => ip) : ports.flatMap(({ port }) => ready.map(({ ip }) => hostPort(ip, port))),
  );
  const shown = all.slice(0, shownAddresses).join(',');
  return all.length > shownAddresses ? `${shown} + ${all.length - shownAddresses} more...` : shown;
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
