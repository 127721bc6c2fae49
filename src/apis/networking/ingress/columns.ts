// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printIngress
import type { Ingress, IngressRule } from '../../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';

const shownHosts = 3;

export const columns: readonly Column<Ingress & KubeObject>[] = [
  {
    name: 'Class',
    type: 'string',
    description: 'The name of the IngressClass resource that should be used for additional configuration',
    cell: ({ spec }) => spec.ingressClassName ?? '<none>',
  },
  {
    name: 'Hosts',
    type: 'string',
    description: 'Hosts that incoming requests are matched against before the ingress rule',
    cell: ({ spec }) => hosts(spec.rules ?? []),
  },
  {
    name: 'Address',
    type: 'string',
    description: 'Address is a list containing ingress points for the load-balancer',
    cell: ({ status }) => {
      const points = (status.loadBalancer.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
      return [...new Set(points.filter((point) => point !== ''))].sort().join(',');
    },
  },
  {
    name: 'Ports',
    type: 'string',
    description: 'Ports of TLS configurations that open',
    cell: ({ spec }) => (spec.tls?.length ? '80, 443' : '80'),
  },
  ageColumn,
];

/** Rules without a host count among the rest, but are not shown. */
function hosts(rules: readonly IngressRule[]): string {
  const list: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (list.length === shownHosts) more = true;
    else if (host) list.push(host);
  }
  if (list.length === 0) return '*';
  return more ? `${list.join(',')} + ${rules.length - shownHosts} more...` : list.join(',');
}
