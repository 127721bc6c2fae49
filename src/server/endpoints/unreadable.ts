// Upstream: k8s.io/apiserver/pkg/storage/cacher/delegator.go#GetList, k8s.io/apiserver/pkg/storage/cacher/cacher.go#Watch
import { tooManyRequests } from '../../machinery/errors.ts';
import { corruptList } from '../registry/corrupt-object.ts';
import type { Endpoint } from './endpoint.ts';
import type { Selection } from './list-query.ts';

/**
 * A list cannot leave out what cannot be read. Upstream never fills a watch cache of which an object cannot be read, anywhere in the resource, and asks
 * clients to come back; what it lists without that cache fails only with an object that would be listed. So does what it lists when objects became
 * unreadable under a cache that was filled: that gets no further, and the store is asked instead.
 */
export function rejectUnreadableList(endpoint: Endpoint, { options, everything, prefix, isPaged = options.limit > 0 }: Selection): void {
  const { context, resource } = endpoint;
  const { resourceVersion, resourceVersionMatch, limit } = options;
  const isExact = resourceVersionMatch === 'Exact' || (limit > 0 && resourceVersion !== '' && resourceVersion !== '0');
  const isPage = options.continue !== '' || (isPaged && everything);
  const wasFilled = resource.store.cache.corruptIn(resource.keyPrefix).every(({ last }) => last !== undefined);
  if (!isExact && !isPage && !wasFilled && context.isCached(resource)) rejectUnreadable(endpoint);
  const unread = unreadableIn(endpoint, prefix);
  if (unread !== undefined) throw unread;
}

/** A watch cannot leave it out either: a client would take what is missing for deleted. */
export function rejectUnreadable(endpoint: Endpoint): void {
  const unread = unreadableIn(endpoint, endpoint.resource.keyPrefix);
  if (unread !== undefined) throw tooManyRequests(`storage is (re)initializing: failed to list <unspecified>: ${unread.message}`, 1);
}

function unreadableIn({ resource, context }: Endpoint, prefix: string): Error | undefined {
  const [first, ...others] = resource.store.cache.corruptIn(prefix);
  return first && corruptList(resource.groupResource, [first, ...others], context.features);
}
