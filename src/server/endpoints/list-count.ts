// Upstream: k8s.io/apiserver/pkg/storage/metrics/metrics.go#RecordStorageListMetrics
import type { Endpoint } from './endpoint.ts';

/** Counts a list that was read from the watch cache: objects that were looked at, and those in the response. */
export function countList({ resource: { groupResource }, context }: Endpoint, fetched: number, returned: number): void {
  const { group, resource } = groupResource;
  const { lists, fetched: read, evaluated, returned: sent, cacheLists, cacheFetched, cacheReturned } = context.observed.lists;
  lists.with(group, resource, 'watchcache', '').inc();
  read.with(group, resource, 'watchcache', '').inc(fetched);
  evaluated.with(group, resource, 'watchcache').inc(fetched);
  sent.with(group, resource, 'watchcache').inc(returned);
  cacheLists.with(group, resource, '').inc();
  cacheFetched.with(group, resource, '').inc(fetched);
  cacheReturned.with(group, resource).inc(returned);
}
