// Upstream: k8s.io/kubernetes/pkg/registry/core/service/ipallocator/metrics.go, k8s.io/kubernetes/pkg/registry/core/service/portallocator/metrics.go
import type { MetricsRegistry } from '../../../base/metrics.ts';
import { defaultBuckets } from '../../../base/metrics.ts';

/** `static`: the client asked for this one; `dynamic`: for any */
export type AllocationScope = 'static' | 'dynamic';
export type AddressMetrics = ReturnType<typeof addressMetrics>;
export type NodePortMetrics = ReturnType<typeof nodePortMetrics>;

export function addressMetrics(registry: MetricsRegistry) {
  const name = (what: string): string => `kube_apiserver_clusterip_allocator_${what}`;
  const labels = ['cidr'] as const;
  return {
    allocated: registry.gauge({ name: name('allocated_ips'), help: 'Addresses of a range that services have', labels }),
    available: registry.gauge({ name: name('available_ips'), help: 'Addresses of a range that no service has', labels }),
    allocations: registry.counter({
      name: name('allocation_total'),
      help: 'Addresses that were given to services, by whether they were asked for (static) or not (dynamic)',
      labels: [...labels, 'scope'],
    }),
    errors: registry.counter({
      name: name('allocation_errors_total'),
      help: 'Addresses that could not be given to a service, by whether they were asked for (static) or not (dynamic)',
      labels: [...labels, 'scope'],
    }),
    seconds: registry.histogram({
      name: name('allocation_duration_seconds'),
      help: 'Time that it took to find an address for a service',
      labels,
      buckets: defaultBuckets,
    }),
    onCollect: (collect: () => void) => registry.onCollect(collect),
  };
}

export function nodePortMetrics(registry: MetricsRegistry) {
  const name = (what: string): string => `kube_apiserver_nodeport_allocator_${what}`;
  const labels = ['scope'] as const;
  return {
    allocated: registry
      .gauge({ name: name('allocated_ports'), help: 'Node ports that services had after the last change of one by this server' })
      .with(),
    available: registry
      .gauge({ name: name('available_ports'), help: 'Node ports that no service had after the last change of one by this server' })
      .with(),
    allocations: registry.counter({
      name: name('allocation_total'),
      help: 'Node ports that were given to services, by whether they were asked for (static) or not (dynamic)',
      labels,
    }),
    errors: registry.counter({
      name: name('allocation_errors_total'),
      help: 'Node ports that could not be given to a service, by whether they were asked for (static) or not (dynamic)',
      labels,
    }),
  };
}
