// Upstream: k8s.io/kubernetes/pkg/apis/core/v1/defaults.go#SetDefaults_Service
import { isExternallyAccessible } from '../../common/service-network/service-object.ts';
import type { ServiceObject } from '../../common/service-network/service-object.ts';

const clientIpAffinitySeconds = 10800;

export function defaultService(service: ServiceObject): void {
  const spec = (service.spec ??= {});
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: clientIpAffinitySeconds } };
  }
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port;
  }
  if (isExternallyAccessible(service)) spec.externalTrafficPolicy ||= 'Cluster';
  if (spec.type !== 'ExternalName' && serviceTypes.has(spec.type)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
}

const serviceTypes: ReadonlySet<string> = new Set(['ClusterIP', 'NodePort', 'LoadBalancer']);
