// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printService
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { formatLabels } from '../../../table/format-labels.ts';
import type { ServiceObject } from '../../common/service-network/service-object.ts';

const doc = (field: string): ReturnType<typeof docOf> => docOf('io.k8s.api.core.v1.ServiceSpec', field);

export const serviceColumns: readonly Column<ServiceObject>[] = [
  { name: 'Type', type: 'string', description: doc('type'), cell: ({ spec }) => spec.type ?? '' },
  { name: 'Cluster-IP', type: 'string', description: doc('clusterIP'), cell: ({ spec }) => spec.clusterIPs?.[0] ?? '<none>' },
  { name: 'External-IP', type: 'string', description: doc('externalIPs'), cell: externalIp },
  { name: 'Port(s)', type: 'string', description: doc('ports'), cell: ports },
  ageColumn,
  {
    name: 'Selector',
    type: 'string',
    priority: 1,
    description: doc('selector'),
    cell: ({ spec }) => formatLabels(spec.selector),
  },
];

function externalIp(service: ServiceObject): string {
  const { type, externalIPs = [], externalName = '' } = service.spec;
  switch (type) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIPs.join(',') || '<none>';
    case 'LoadBalancer':
      return [...ingressPoints(service), ...externalIPs].join(',') || '<pending>';
    case 'ExternalName':
      return externalName;
    default:
      return '<unknown>';
  }
}

function ingressPoints({ status }: ServiceObject): string[] {
  return [...new Set((status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []))].sort();
}

function ports({ spec }: ServiceObject): string {
  const pieces = (spec.ports ?? []).map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? ''}`);
  return pieces.join(',') || '<none>';
}
