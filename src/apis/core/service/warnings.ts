// Upstream: k8s.io/kubernetes/pkg/api/service/warnings.go
import { append } from '../../../machinery/append.ts';
import { FieldPath } from '../../../machinery/field.ts';
import { warningsForCidr, warningsForIp } from '../../../machinery/ip-validation.ts';
import { none } from '../../common/service-network/service-object.ts';
import type { ServiceObject } from '../../common/service-network/service-object.ts';

const specPath = FieldPath.root('spec');
const topologyHints = 'service.kubernetes.io/topology-aware-hints';

export function serviceWarnings({ metadata, spec }: ServiceObject): string[] {
  const { clusterIP = '', clusterIPs = [], externalIPs = [], loadBalancerIP = '', loadBalancerSourceRanges = [], type } = spec;
  const headless = type === 'ClusterIP' && clusterIP === none;
  const warnings: string[] = [];
  const warnIf = (condition: boolean, text: string): void => void (condition && warnings.push(text));
  const listOf = (name: string, values: readonly string[], of: typeof warningsForIp): void =>
    values.forEach((value, index) => append(warnings, of(value, specPath.child(name).index(index))));

  warnIf(
    metadata.annotations?.[topologyHints] !== undefined,
    `annotation ${topologyHints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
  );
  if (clusterIP !== '' && clusterIP !== none) listOf('clusterIPs', clusterIPs, warningsForIp);
  if (headless) {
    warnIf(loadBalancerIP !== '', 'spec.loadBalancerIP is ignored for headless services');
    warnIf(externalIPs.length > 0, 'spec.externalIPs is ignored for headless services');
    warnIf(spec.sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services');
  }
  listOf('externalIPs', externalIPs, warningsForIp);
  warnIf(
    externalIPs.length > 0 && !headless && type !== 'ExternalName',
    'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
  );
  if (loadBalancerIP !== '') append(warnings, warningsForIp(loadBalancerIP, specPath.child('loadBalancerIP')));
  listOf('loadBalancerSourceRanges', loadBalancerSourceRanges, warningsForCidr);
  warnIf(type === 'ExternalName' && externalIPs.length > 0, 'spec.externalIPs is ignored when spec.type is "ExternalName"');
  warnIf(type !== 'ExternalName' && Boolean(spec.externalName), 'spec.externalName is ignored when spec.type is not "ExternalName"');
  warnIf(spec.trafficDistribution === 'PreferClose', 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}

export function serviceStatusWarnings({ status }: ServiceObject): string[] {
  const path = FieldPath.root('status', 'loadBalancer', 'ingress');
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, index) => (ip ? warningsForIp(ip, path.index(index)) : []));
}
