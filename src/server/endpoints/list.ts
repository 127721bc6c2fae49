// Upstream: k8s.io/apiserver/pkg/storage/cacher/cacher.go, k8s.io/apiserver/pkg/storage/etcd3/store.go#GetList
import { Pace } from '../../base/pace.ts';
import { badRequest, resourceExpired } from '../../machinery/errors.ts';
import { ResourceVersionError, parseResourceVersion } from '../../machinery/resource-version.ts';
import type { ListMeta } from '../../machinery/object-meta.ts';
import type { ListOptions } from '../../machinery/options.ts';
import { CompactedError, FutureRevisionError } from '../../storage/storage.ts';
import { tooLargeResourceVersion } from '../../machinery/errors.ts';
import type { CacheListResult } from '../../storage/cache/types.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import { compressed, gzipHeaders, readsGzip } from '../http/gzip.ts';
import { negotiateOutput } from '../http/media-types.ts';
import type { StoredEntry } from '../registry/entry.ts';
import { decodeContinue, encodeContinue, expiredContinue } from './continue-token.ts';
import { compressedList } from './compressed-list.ts';
import type { Endpoint } from './endpoint.ts';
import { waitFor } from './get.ts';
import type { Selection } from './list-query.ts';
import { selectionOf } from './list-query.ts';
import { countList } from './list-count.ts';
import { listResponse } from './list-response.ts';
import { bodyHeaders } from './render.ts';
import { rejectUnreadableList } from './unreadable.ts';

/** The result of a list: entries lazily, and the metadata of the list. */
export interface Page {
  readonly items: Iterable<StoredEntry>;
  /** the same as the cache has them together, where nothing is left out */
  readonly parts?: readonly (readonly StoredEntry[])[] | undefined;
  readonly metadata: ListMeta;
}

export async function list(endpoint: Endpoint, request: AuthenticatedRequest): Promise<Response> {
  const form = negotiateOutput(request, endpoint.versionedKind.mediaTypes);
  request.place = 'storage';
  const found = await page(endpoint, selectionOf(endpoint, request));
  const body = readsGzip(request) ? await compressedList(endpoint, form, found) : undefined;
  if (body !== undefined) return { status: 200, headers: gzipHeaders(bodyHeaders(form)), body };
  return compressed(request, await listResponse(endpoint, request, form, found));
}

export async function page(endpoint: Endpoint, selection: Selection): Promise<Page> {
  const { items, parts, metadata } = await selected(endpoint, selection);
  // Lists of objects without a Go type have no place for it.
  const says = selection.shard !== undefined && endpoint.versionedKind.profile.isTyped;
  return { items, parts, metadata: says ? { ...metadata, shardInfo: { selector: String(selection.shard) } } : metadata };
}

async function selected(endpoint: Endpoint, selection: Selection): Promise<Page> {
  const { options, prefix, matches, everything, fieldEquals } = selection;
  const { cache } = endpoint.resource.store;
  await cache.ready();
  const token = options.continue === '' ? undefined : decodeContinue(options.continue);
  if (token !== undefined && options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  // A read that may be of any age comes from the cache in one piece, whatever the limit: a quirk kept.
  const limit =
    options.resourceVersion === '0' && options.resourceVersionMatch !== 'Exact' && endpoint.context.isCached(endpoint.resource)
      ? 0
      : options.limit;
  const revision = token === undefined ? await revisionFor(endpoint, options, limit) : token.revision > 0 ? token.revision : undefined;
  if (token !== undefined && revision === undefined) await cache.fresh();
  const { keyPrefix } = endpoint.resource;
  // Tokens name keys below the list's own root: a namespace's, or the resource's.
  const root = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const from = token === undefined ? undefined : root + token.start;

  const single = prefix !== keyPrefix && !prefix.endsWith('/');
  const wanted = (entry: StoredEntry): boolean => (!single || entry.key === prefix) && matches(entry);
  const listed = { prefix, fieldEquals, ...(revision !== undefined && { revision }), ...(from !== undefined && { from }) };
  let result: CacheListResult<StoredEntry>;
  try {
    await cache.prepare?.list(listed, wanted, limit);
    result = cache.list(listed);
  } catch (error) {
    if (error instanceof CompactedError) {
      throw token === undefined ? resourceExpired('The resourceVersion for the provided list is too old.') : expiredContinue(token.start);
    }
    if (error instanceof FutureRevisionError && revision !== undefined) throw tooLargeResourceVersion(revision, error.currentRevision, 1);
    throw error;
  }
  rejectUnreadableList(endpoint, selection);
  if (limit <= 0) {
    const items = everything ? result.items : await filtered(result.items, wanted, new Pace(endpoint.context.slices));
    countList(endpoint, result.total, Array.isArray(items) ? items.length : result.total);
    return { items, parts: everything ? result.parts?.() : undefined, metadata: { resourceVersion: String(result.revision) } };
  }
  const found = await limited(result, wanted, limit, everything, root, new Pace(endpoint.context.slices));
  countList(endpoint, found.walked, found.items.length);
  return found;
}

/** The revision to read at exactly; undefined: the newest that the cache has, after waiting until it is fresh enough. */
async function revisionFor(endpoint: Endpoint, options: ListOptions, limit: number): Promise<number | undefined> {
  const { cache } = endpoint.resource.store;
  const { resourceVersion, resourceVersionMatch } = options;
  if (resourceVersion === '') {
    await cache.fresh();
    return undefined;
  }
  const revision = listRevision(resourceVersion);
  if (revision === 0) return undefined;
  await waitFor(endpoint.resource, revision, resourceVersion);
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0);
  return exact ? revision : undefined;
}

function listRevision(text: string): number {
  try {
    return parseResourceVersion(text);
  } catch (error) {
    throw error instanceof ResourceVersionError ? badRequest(`invalid resource version: ${error.message}`, { cause: error }) : error;
  }
}

async function limited(
  result: CacheListResult<StoredEntry>,
  wanted: (entry: StoredEntry) => boolean,
  limit: number,
  everything: boolean,
  root: string,
  pace: Pace,
): Promise<Page & { readonly items: readonly StoredEntry[]; readonly walked: number }> {
  const items: StoredEntry[] = [];
  let walked = 0;
  let more = false;
  for (const entry of result.items) {
    if (items.length === limit) {
      more = true;
      break;
    }
    walked++;
    if (wanted(entry)) items.push(entry);
    if (walked % 16 === 0 && pace.isDue) await pace.rest();
  }
  const last = items.at(-1);
  if (!more || last === undefined) return { items, walked, metadata: { resourceVersion: String(result.revision) } };
  // The next page begins right after the last key: the smallest key that is greater.
  const start = `${last.key.slice(root.length)}\0`;
  return {
    items,
    walked,
    metadata: {
      resourceVersion: String(result.revision),
      continue: encodeContinue({ revision: result.revision, start }),
      ...(everything && { remainingItemCount: result.total - walked }),
    },
  };
}

/** In slices: how long it takes to look at an object depends on the selector, which may be long. */
async function filtered(items: Iterable<StoredEntry>, matches: (entry: StoredEntry) => boolean, pace: Pace): Promise<StoredEntry[]> {
  const found: StoredEntry[] = [];
  let walked = 0;
  for (const entry of items) {
    if (matches(entry)) found.push(entry);
    if (++walked % 16 === 0 && pace.isDue) await pace.rest();
  }
  return found;
}
