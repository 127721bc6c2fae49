// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/patch.go
import { allSteps, stepByStep } from '../../base/steps.ts';
import { nextTurn } from '../../base/turns.ts';
import { notFound } from '../../machinery/errors.ts';
import type { PatchType } from '../../machinery/options.ts';
import { decodePatchOptions } from '../../machinery/options.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import { negotiateOutput } from '../http/media-types.ts';
import type { KubeObject, SubresourceUpdate } from '../registry/definition.ts';
import { ensureNamespace } from '../registry/rules.ts';
import { serverSideApply } from './apply.ts';
import { checkObjectAmount } from './body-amount.ts';
import type { Endpoint } from './endpoint.ts';
import type { PatchMechanism } from './patch-mechanism.ts';
import { isApply, jsonPatch, mechanismOf, parsePatch, patchType } from './patch-mechanism.ts';
import { entryResponse } from './render.ts';
import { storeUpdate } from './store-update.ts';
import { checkName, readBody, turnsOf, writeContext } from './write.ts';

export async function patch(
  endpoint: Endpoint,
  request: AuthenticatedRequest,
  subresource = '',
  subresourceUpdate?: SubresourceUpdate,
): Promise<Response> {
  const { resource, versionedKind } = endpoint;
  const info = request.info;
  const type = patchType(versionedKind, request);
  const form = negotiateOutput(request, versionedKind.mediaTypes);
  const body = await readBody(endpoint.context, request);
  const options = decodePatchOptions(request.query, type);
  const turn = turnsOf(versionedKind, body) ?? (mayCopy(type, body) ? nextTurn : undefined);
  const write = writeContext(endpoint, request, options, info.namespace, info.name, subresource, turn);
  await turn?.();
  if (isApply(type)) return serverSideApply(endpoint, request, form, { body, type }, options, write, subresourceUpdate);

  const document = parsePatch(body);
  await turn?.();
  request.audit?.sentPatch(() => body.toString());
  request.span?.event('Recorded the audit event');
  let mechanism: PatchMechanism | undefined;
  const { entry, created } = await storeUpdate(
    endpoint,
    request,
    write,
    { ...options },
    {
      trackFields: true,
      ...(subresourceUpdate !== undefined && { subresourceUpdate }),
      async change(live, others) {
        // A quirk kept: an object that was stored without a uid is none to a patch.
        if (live === undefined || !live.metadata.uid) throw notFound(resource.groupResource, info.name);
        // Whether the patch makes sense is asked only once there is something to patch.
        mechanism ??= mechanismOf(endpoint, request, type, { body, document }, options);
        await others?.();
        request.span?.event('About to apply patch');
        let patched: KubeObject;
        if (others === undefined) patched = allSteps(mechanism.read(allSteps(mechanism.apply(live)), live));
        else {
          const made = await stepByStep(mechanism.apply(live));
          checkObjectAmount(made.value, versionedKind.profile.isTyped);
          await others();
          patched = await stepByStep(mechanism.read(made, live));
        }
        ensureNamespace(patched.metadata, info.namespace, resource.namespaced);
        checkName(patched, info);
        request.span?.event('About to check admission control');
        return patched;
      },
    },
  );
  request.span?.event('Object stored in database');
  await turn?.();
  return entryResponse(endpoint, request, form, entry, created ? 201 : 200);
}

/** What is copied again and again is large, however small it and the patch are. */
function mayCopy(type: PatchType, body: Buffer): boolean {
  return type === jsonPatch && body.includes('copy');
}
