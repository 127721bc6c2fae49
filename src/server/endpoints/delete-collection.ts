// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/delete.go#DeleteCollection
import { Pace } from '../../base/pace.ts';
import { isReason } from '../../machinery/errors.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import { negotiateOutput } from '../http/media-types.ts';
import type { StoredEntry } from '../registry/entry.ts';
import { deleteOne, deleteOptions } from './delete.ts';
import type { Endpoint } from './endpoint.ts';
import { selectionOf } from './list-query.ts';
import { listResponse } from './list-response.ts';
import { page } from './list.ts';

/** Deletes what a list with the same options would show, and returns what it found, as it was before. Not atomic, as in upstream. */
export async function removeCollection(endpoint: Endpoint, request: AuthenticatedRequest): Promise<Response> {
  const { resource, versionedKind } = endpoint;
  const form = negotiateOutput(request, versionedKind.mediaTypes);
  const selection = selectionOf(endpoint, request);
  const options = await deleteOptions(endpoint, request);
  const { items, metadata } = await page(endpoint, { ...selection, isPaged: true });
  const found: StoredEntry[] = [];
  // All workers take from one iteration. One that fails ends; the others go on with what is left, as upstream's do.
  const left = items[Symbol.iterator]();
  // A dry run waits for nothing that takes a turn of the event loop.
  const pace = new Pace(endpoint.context.slices);
  const work = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      found.push(next.value);
      const { namespace = '', name = '' } = resource.store.parse(next.value).metadata;
      try {
        // each object gets its own copy: the grace rule of a kind fills in what is missing
        await deleteOne(endpoint, request, namespace, name, structuredClone(options));
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
      if (pace.isDue) await pace.rest();
    }
  };
  const workers = Array.from({ length: Math.max(1, endpoint.context.deleteCollectionWorkers) }, work);
  const failed = (await Promise.allSettled(workers)).find((worker) => worker.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return await listResponse(endpoint, request, form, { items: found, metadata });
}
