// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/create.go
import { decodeCreateOptions } from '../../machinery/options.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import { negotiateInput, negotiateOutput } from '../http/media-types.ts';
import { toStorage } from '../registry/resource.ts';
import { ensureNamespace, wipeSystemFields } from '../registry/rules.ts';
import type { Endpoint } from './endpoint.ts';
import { entryResponse } from './render.ts';
import { storing } from './verb-span.ts';
import {
  admissionAttributes,
  decodeBody,
  decodeInTurns,
  defaultWriteOptions,
  dedupOwnerReferences,
  readBody,
  turnsOf,
  writeContext,
} from './write.ts';

export async function create(endpoint: Endpoint, request: AuthenticatedRequest): Promise<Response> {
  const { resource, versionedKind, context } = endpoint;
  const info = request.info;
  const form = negotiateOutput(request, versionedKind.mediaTypes);
  negotiateInput(request.header('content-type'), versionedKind.mediaTypes.plain);
  const body = await readBody(endpoint.context, request);
  const options = request.rawQuery === '' ? defaultWriteOptions : decodeCreateOptions(request.query);
  const turn = turnsOf(versionedKind, body);
  await turn?.();
  request.span?.event('About to convert to expected version');
  const decoded =
    turn === undefined
      ? decodeBody(versionedKind, request, body, options)
      : await decodeInTurns(versionedKind, request, body, options, turn);
  request.span?.event('Conversion done');
  const write = writeContext(endpoint, request, options, info.namespace, decoded.metadata.name ?? '', '', turn);

  wipeSystemFields(decoded.metadata);
  ensureNamespace(decoded.metadata, info.namespace, resource.namespaced);
  dedupOwnerReferences(decoded, request, false);
  await turn?.();
  const manager = context.fieldManagers.of(resource, versionedKind, '');
  const update = { live: undefined, next: decoded, manager: write.fieldManager, now: write.now, isLarge: turn !== undefined };
  await context.fieldManagers.use(resource, () => manager.updating(update), turn);

  const attributes = admissionAttributes(endpoint, request, 'CREATE', write, toStorage(resource, versionedKind, decoded), undefined, {
    ...options,
  });
  await turn?.();
  const entry = await storing(request, body.length, async () => {
    await context.admission.mutate(attributes);
    const object = attributes.object as NonNullable<typeof attributes.object>;
    dedupOwnerReferences(object, request, true);
    return resource.store.create(object, write, (complete) =>
      context.admission.validate({ ...attributes, object: complete, name: complete.metadata.name ?? '' }),
    );
  });
  await turn?.();
  return entryResponse(endpoint, request, form, entry, 201);
}
