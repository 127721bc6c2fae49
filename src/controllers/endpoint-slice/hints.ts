// Upstream: k8s.io/endpointslice/trafficdist/trafficdist.go
import type { Endpoint, EndpointHints } from '../../schema/types/discovery-v1.ts';
import type { ServiceObject } from '../common/service-pods.ts';
import type { SliceObject } from '../common/service-slices.ts';

const nearZone: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** The slice with hints as spec.trafficDistribution wants them: ready endpoints are for their own zone, and for their own node. */
export function withHints(slice: SliceObject, { metadata, spec }: ServiceObject): SliceObject {
  const { trafficDistribution = '' } = spec;
  const annotations = metadata.annotations ?? {};
  const mode = annotations['service.kubernetes.io/topology-aware-hints'] ?? annotations['service.kubernetes.io/topology-mode'];
  // Hints by the annotation need a node's capacity; they are not given, and the field does not count beside it.
  const isNear = nearZone.includes(trafficDistribution) && mode !== 'Auto' && mode !== 'auto';
  const hint = (endpoint: Endpoint): Endpoint => {
    if (isNear && endpoint.conditions.ready !== true) return endpoint;
    const { hints: _old, ...rest } = endpoint;
    const hints = isNear ? hintsOf(endpoint, trafficDistribution === 'PreferSameNode') : undefined;
    return hints === undefined ? rest : { ...rest, hints };
  };
  return { ...slice, endpoints: (slice.endpoints ?? []).map(hint) };
}

function hintsOf({ zone, nodeName }: Endpoint, withNode: boolean): EndpointHints | undefined {
  const hints: EndpointHints = {
    ...(zone !== undefined && { forZones: [{ name: zone }] }),
    ...(withNode && nodeName !== undefined && { forNodes: [{ name: nodeName }] }),
  };
  return Object.keys(hints).length === 0 ? undefined : hints;
}
