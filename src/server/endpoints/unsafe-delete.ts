// Upstream: k8s.io/apiserver/pkg/registry/generic/registry/corrupt_obj_deleter.go
// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/delete.go#authorizeUnsafeDelete
import { conflict, forbidden, notFound } from '../../machinery/errors.ts';
import type { DeleteOptions } from '../registry/delete.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import { anonymous } from '../request/user.ts';
import type { Endpoint } from './endpoint.ts';
import { requireKey } from './object-key.ts';

const verb = 'unsafe-delete-ignore-read-errors';

/** Deletes what cannot be read, unread: without preconditions, finalizers and admission. Only that, and only for those who may do so. */
export async function unsafeDelete(endpoint: Endpoint, request: AuthenticatedRequest, options: DeleteOptions): Promise<void> {
  const { resource } = endpoint;
  const { namespace, name } = request.info;
  const { store, groupResource } = resource;
  await authorize(endpoint, request);
  requireKey(resource, namespace, name);
  const key = store.key(namespace, name);
  for (;;) {
    const { kv } = await store.storage.get(key);
    if (kv === undefined) throw notFound(groupResource, name);
    if (isReadable(() => store.decode(kv))) {
      const why = 'unsafe deletion is not allowed because the object is decodable from storage';
      const failure = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
      throw conflict(groupResource, name, failure);
    }
    if ((options.dryRun ?? []).length > 0) return;
    const { succeeded } = await store.storage.transact([{ type: 'delete', key, expect: kv.modRevision }]);
    if (succeeded) return;
  }
}

/** Why it cannot be read, clients see when they read it. */
function isReadable(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

async function authorize({ resource, versionedKind, context }: Endpoint, request: AuthenticatedRequest): Promise<void> {
  const { namespace, name, subresource } = request.info;
  const { groupResource } = resource;
  if (subresource !== '') {
    const why = 'ignoreStoreReadErrorWithClusterBreakingPotential delete option is not allowed on a subresource or non-resource request';
    throw forbidden(groupResource, name, why);
  }
  const { group, names } = resource;
  const { decision, reason } = await context.authorizer.authorize({
    user: request.user ?? anonymous,
    verb,
    isResource: true,
    path: request.path,
    group,
    version: versionedKind.version,
    namespace,
    resource: names.plural,
    subresource: '',
    name,
  });
  if (decision !== 'allow') throw forbidden(groupResource, name, `not permitted to do ${JSON.stringify(verb)}, reason: ${reason}`);
}
