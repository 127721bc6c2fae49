// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/update.go
import { decodeUpdateOptions } from '../../machinery/options.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import { negotiateInput, negotiateOutput } from '../http/media-types.ts';
import type { KubeObject, SubresourceUpdate } from '../registry/definition.ts';
import { ensureNamespace } from '../registry/rules.ts';
import type { Endpoint } from './endpoint.ts';
import { entryResponse } from './render.ts';
import { storeUpdate } from './store-update.ts';
import { storing } from './verb-span.ts';
import {
  checkName,
  decodeBody,
  decodeInTurns,
  defaultWriteOptions,
  dedupOwnerReferences,
  readBody,
  turnsOf,
  writeContext,
} from './write.ts';

export async function update(
  endpoint: Endpoint,
  request: AuthenticatedRequest,
  subresource = '',
  subresourceUpdate?: SubresourceUpdate,
): Promise<Response> {
  const { resource, versionedKind } = endpoint;
  const info = request.info;
  const form = negotiateOutput(request, versionedKind.mediaTypes);
  const body = await readBody(endpoint.context, request);
  const options = request.rawQuery === '' ? defaultWriteOptions : decodeUpdateOptions(request.query);
  negotiateInput(request.header('content-type'), versionedKind.mediaTypes.plain);
  const turn = turnsOf(versionedKind, body);
  await turn?.();
  request.span?.event('About to convert to expected version');
  const decode = (): KubeObject | Promise<KubeObject> =>
    turn === undefined ? decodeBody(versionedKind, request, body, options) : decodeInTurns(versionedKind, request, body, options, turn);
  const decoded = await decode();
  request.span?.event('Conversion done');
  const write = writeContext(endpoint, request, options, info.namespace, info.name, subresource, turn);

  ensureNamespace(decoded.metadata, info.namespace, resource.namespaced);
  checkName(decoded, info);
  dedupOwnerReferences(decoded, request, false);
  const { uid } = decoded.metadata;
  let first: KubeObject | undefined = decoded;
  // The store may ask again after a conflict, and hooks have changed what they got.
  const again = async (): Promise<KubeObject> => {
    const object = await decode();
    ensureNamespace(object.metadata, info.namespace, resource.namespaced);
    dedupOwnerReferences(object, request, false);
    return object;
  };
  const { entry, created } = await storing(request, body.length, () =>
    storeUpdate(
      endpoint,
      request,
      write,
      { ...options },
      {
        change() {
          const object = first;
          first = undefined;
          return object ?? again();
        },
        trackFields: true,
        ...(uid ? { preconditions: { uid } } : undefined),
        ...(subresourceUpdate !== undefined && { subresourceUpdate }),
      },
    ),
  );
  await turn?.();
  return entryResponse(endpoint, request, form, entry, created ? 201 : 200);
}
