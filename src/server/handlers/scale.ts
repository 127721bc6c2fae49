// Upstream: pkg/registry/apps/deployment/storage/storage.go (ScaleREST) and its relatives
import { conflict, invalid } from '../../machinery/errors.ts';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import { FieldPath, invalid as invalidField } from '../../machinery/field.ts';
import { decodePatchOptions, decodeUpdateOptions } from '../../machinery/options.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { encodeObject } from '../negotiation/codecs.ts';
import { negotiateOutput } from '../negotiation/media-types.ts';
import type { KubeObject, ScaleDefinition } from '../registry/definition.ts';
import type { RequestInfo } from '../request-info.ts';
import type { Endpoint } from './endpoint.ts';
import { read } from './get.ts';
import type { Mechanism } from './patch-mechanism.ts';
import { mechanismOf, parsePatch, patchType } from './patch-mechanism.ts';
import { bodyHeaders } from './render.ts';
import { storeUpdate } from './store-update.ts';
import { checkName, decodeBody, readBody, writeContext } from './write.ts';

export const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const;

/** autoscaling/v1 Scale: how many there are and how many are wanted, whatever the kind. */
export interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

export async function scale(endpoint: Endpoint, request: Request, definition: ScaleDefinition): Promise<Response> {
  const { resource, context } = endpoint;
  const info = request.info as RequestInfo;
  const form = negotiateOutput(request, endpoint.representation.mediaTypes);
  const respond = (object: KubeObject): Response => {
    const type = context.typeOf('autoscaling/v1', 'Scale');
    return {
      status: 200,
      headers: bodyHeaders(form),
      body: encodeObject(context.codecs, form.media, scaleOf(object, definition), type, form.pretty),
    };
  };
  switch (info.verb) {
    case 'get': {
      const parent = resource.store.parse(await read(endpoint, info.namespace, info.name, ''));
      definition.checkReadable?.(parent);
      return respond(parent);
    }
    case 'update': {
      const body = await readBody(request);
      const options = decodeUpdateOptions(request.query);
      const wanted = decodeBody(context.representationOf(scaleKind), request, body, options) as Scale;
      checkName(wanted, info);
      return respond(await setScale(endpoint, request, definition, options, () => wanted));
    }
    case 'patch':
      return respond(await patchScale(endpoint, request, definition));
    default:
      throw serverResponseError({ code: 405 });
  }
}

/** A patch of the scale subresource changes the Scale, and the Scale changes the parent. */
async function patchScale(endpoint: Endpoint, request: Request, definition: ScaleDefinition): Promise<KubeObject> {
  const { context } = endpoint;
  const representation = context.representationOf(scaleKind);
  const type = patchType(endpoint.representation, request);
  const body = await readBody(request);
  const options = decodePatchOptions(request.query, type);
  const document = parsePatch(body);
  let mechanism: Mechanism | undefined;
  return setScale(endpoint, request, definition, options, (current) => {
    mechanism ??= mechanismOf({ representation, context }, request, type, { body, document }, options);
    const patched = mechanism(current) as Scale;
    checkName(patched, request.info as RequestInfo);
    return patched;
  });
}

/** Stores the wanted number of replicas in the parent, under the parent's rules for updates. */
async function setScale(
  endpoint: Endpoint,
  request: Request,
  definition: ScaleDefinition,
  options: { readonly dryRun: readonly string[]; readonly fieldManager: string; readonly fieldValidation: string },
  change: (current: Scale) => Scale | Promise<Scale>,
): Promise<KubeObject> {
  const { resource } = endpoint;
  const { namespace, name } = request.info as RequestInfo;
  const write = writeContext(endpoint, request, options, namespace, name, 'scale');
  const { entry } = await storeUpdate(
    endpoint,
    request,
    write,
    { ...options },
    {
      trackFields: true,
      async change(live) {
        const parent = structuredClone(live as KubeObject);
        const wanted = await change(scaleOf(parent, definition));
        validateScale(endpoint, parent, wanted);
        definition.setReplicas(parent, wanted.spec?.replicas ?? 0);
        return parent;
      },
    },
  );
  return resource.store.parse(entry);
}

function validateScale({ resource, representation }: Endpoint, parent: KubeObject, wanted: Scale): void {
  const { name = '', uid, resourceVersion } = wanted.metadata;
  const replicas = wanted.spec?.replicas ?? 0;
  // Custom resources say themselves what their replicas may be.
  if (replicas < 0 && !representation.unstructured) {
    const error = invalidField(FieldPath.root('spec').child('replicas'), replicas, 'must be greater than or equal to 0');
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [error]);
  }
  if (uid && uid !== parent.metadata.uid) {
    throw conflict(
      resource.groupResource,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${parent.metadata.uid ?? ''}`,
    );
  }
  if (resourceVersion && resourceVersion !== parent.metadata.resourceVersion) {
    throw conflict(
      resource.groupResource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
}

export function scaleOf(parent: KubeObject, definition: ScaleDefinition): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = parent.metadata;
  const selector = definition.selector(parent);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: { replicas: definition.replicas(parent) },
    status: { replicas: definition.statusReplicas(parent), ...(selector !== '' && { selector }) },
  };
}
