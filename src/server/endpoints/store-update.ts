// The path that PUT, PATCH and updates through subresources share: change, own, admit, store.
import type { Turn } from '../../base/turns.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { WriteContext } from '../registry/context.ts';
import type { KubeObject, SubresourceUpdate } from '../registry/definition.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import { fromStorage, toStorage } from '../registry/resource.ts';
import type { Preconditions, UpdateResult } from '../registry/store.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import { forbiddenRequest } from '../request/forbidden.ts';
import type { Endpoint } from './endpoint.ts';
import { requireKey } from './object-key.ts';
import { admissionAttributes, dedupOwnerReferences } from './write.ts';

export interface Change {
  /**
   * The new object from the stored one, both at the endpoint's version. The stored one is only to be read, and the new one shares nothing
   * with it. `undefined`: nothing is stored under that name. `turn`: what is changed or stored is large.
   */
  readonly change: (live: KubeObject | undefined, turn: Turn | undefined) => Promise<KubeObject> | KubeObject;
  /** false: `change` has taken care of managedFields (apply) */
  readonly trackFields: boolean;
  readonly preconditions?: Preconditions;
  readonly forceAllowCreate?: boolean;
  readonly subresourceUpdate?: SubresourceUpdate;
  /** a subresource of a type of its own: that is what admission sees, and `change` has asked those plugins that mutate */
  readonly admittedAs?: { readonly versionedKind: VersionedKind; of(object: KubeObject): KubeObject };
}

export async function storeUpdate(
  endpoint: Endpoint,
  request: AuthenticatedRequest,
  write: WriteContext,
  options: Readonly<Record<string, unknown>>,
  { change, trackFields, preconditions, forceAllowCreate, subresourceUpdate, admittedAs }: Change,
): Promise<UpdateResult> {
  const { resource, versionedKind, context } = endpoint;
  requireKey(resource, write.namespace, write.name);
  const manager = context.fieldManagers.of(resource, versionedKind, write.subresource);
  return resource.store.update(write.name, write, {
    ...(preconditions !== undefined && { preconditions }),
    ...(forceAllowCreate && { forceAllowCreate }),
    ...(subresourceUpdate !== undefined && { subresourceUpdate }),
    ...(!trackFields && { keepsOwners: true }),
    async transform(existing, turn) {
      const live = existing && (versionedKind === resource.storage ? existing : fromStorage(resource, versionedKind, deepCopy(existing)));
      await turn?.();
      const next = await change(live, turn);
      await turn?.();
      if (trackFields) {
        const update = { live, next, manager: write.fieldManager, now: write.now, isLarge: turn !== undefined };
        await context.fieldManagers.use(resource, () => manager.updating(update), turn);
      }
      if (admittedAs !== undefined) return toStorage(resource, versionedKind, next);
      const operation = existing === undefined ? 'CREATE' : 'UPDATE';
      const attributes = admissionAttributes(
        endpoint,
        request,
        operation,
        write,
        toStorage(resource, versionedKind, next),
        existing,
        options,
      );
      await turn?.();
      await context.admission.mutate(attributes);
      const object = attributes.object as KubeObject;
      dedupOwnerReferences(object, request, true);
      return object;
    },
    async validateCreate(object) {
      await authorizeCreate(endpoint, write, request);
      await context.admission.validate(admissionAttributes(endpoint, request, 'CREATE', write, object, undefined, options));
    },
    validateUpdate(object, old) {
      const shown = admittedAs?.of ?? ((one: KubeObject) => one);
      const about = { resource, versionedKind: admittedAs?.versionedKind ?? versionedKind };
      return context.admission.validate(admissionAttributes(about, request, 'UPDATE', write, shown(object), shown(old), options));
    },
  });
}

/** Creating by PUT or apply takes the right to create, not only to update. */
async function authorizeCreate(
  { resource, versionedKind, context }: Endpoint,
  write: WriteContext,
  request: AuthenticatedRequest,
): Promise<void> {
  const attributes = {
    user: write.user,
    verb: 'create',
    isResource: true,
    path: request.path,
    group: resource.group,
    version: versionedKind.version,
    namespace: write.namespace,
    resource: resource.names.plural,
    subresource: write.subresource,
    name: write.name,
  };
  const { decision, reason } = await context.authorizer.authorize(attributes);
  if (decision !== 'allow') throw forbiddenRequest(attributes, reason);
}
