// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/get.go
import { parseResourceVersion } from '../../machinery/resource-version.ts';
import { badRequest, notFound, tooLargeResourceVersion } from '../../machinery/errors.ts';
import { decodeGetOptions } from '../../machinery/options.ts';
import { FutureRevisionError } from '../../storage/storage.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import { compressed } from '../http/gzip.ts';
import { negotiateOutput } from '../http/media-types.ts';
import { corruptObject } from '../registry/corrupt-object.ts';
import type { StoredEntry } from '../registry/entry.ts';
import { isTrue } from '../request/request-info.ts';
import type { Endpoint } from './endpoint.ts';
import { requireKey } from './object-key.ts';
import { entryResponse } from './render.ts';

export async function get(endpoint: Endpoint, request: AuthenticatedRequest): Promise<Response> {
  const form = negotiateOutput(request, endpoint.versionedKind.mediaTypes);
  const { namespace, name } = request.info;
  let resourceVersion = '';
  if (request.rawQuery !== '') {
    rejectExport(request.query);
    ({ resourceVersion } = decodeGetOptions(request.query));
  }
  request.place = 'storage';
  request.span?.event('About to Get from storage');
  const entry = await read(endpoint, namespace, name, resourceVersion);
  const response = entryResponse(endpoint, request, form, entry);
  return response instanceof Promise ? compressed(request, await response) : compressed(request, response);
}

/** The current state; with a resource version, one that is at least that fresh. */
export async function read(
  { resource, context }: Pick<Endpoint, 'resource' | 'context'>,
  namespace: string,
  name: string,
  resourceVersion: string,
): Promise<StoredEntry> {
  requireKey(resource, namespace, name);
  const { store, groupResource } = resource;
  const { cache } = store;
  await cache.ready();
  if (resourceVersion === '') await cache.fresh();
  else if (resourceVersion !== '0') await waitFor(resource, parseResourceVersion(resourceVersion), resourceVersion);
  const key = store.key(namespace, name);
  const corrupt = cache.corrupt(key);
  if (corrupt !== undefined) {
    const { features, storagePrefix } = context;
    throw corruptObject({ ...corrupt, key: key.slice(storagePrefix.length) }, features);
  }
  if (cache.prepare !== undefined) await cache.prepare.get(key);
  const entry = cache.get(key);
  if (entry === undefined) throw notFound(groupResource, name);
  // As in upstream, it is the store that is asked: there it may no longer be readable.
  if (resourceVersion === '' && !store.isReadable(entry)) await store.assertReadable(entry, namespace, name, context.features);
  return entry;
}

/** Waits until the cache is as fresh as the version that was asked for; `text` is how it was written. */
export async function waitFor({ store }: Endpoint['resource'], revision: number, text: string): Promise<void> {
  try {
    await store.cache.waitFor(revision);
  } catch (error) {
    // a number loses its last digits when it is that large, the message does not
    if (error instanceof FutureRevisionError) throw tooLargeResourceVersion(BigInt(text), error.currentRevision, 1);
    throw error;
  }
}

function rejectExport(query: URLSearchParams): void {
  const value = query.get('export');
  if (value !== null && isTrue(value)) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
}
