// Upstream: k8s.io/kubernetes/pkg/registry/apps/{deployment,replicaset,statefulset}/storage/storage.go#ScaleREST
import { allSteps } from '../../base/steps.ts';
import { turnsFor } from '../../base/turns.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import { badRequest, internalError, invalid, methodNotSupported } from '../../machinery/errors.ts';
import { FieldPath, invalid as invalidField } from '../../machinery/field.ts';
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import { decodePatchOptions, decodeTableOptions, decodeUpdateOptions } from '../../machinery/options.ts';
import { describeObject } from '../../patch/field-manager.ts';
import type { FieldManager } from '../../patch/field-manager.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import type { ManagedFieldsEntry } from '../../patch/apply/managed-fields.ts';
import type { ReplicasPaths } from '../../patch/scale-managed-fields.ts';
import { parentManagedFields, scaleManagedFields } from '../../patch/scale-managed-fields.ts';
import type { Column } from '../../table/column.ts';
import { ageColumn } from '../../table/common-columns.ts';
import { docOf } from '../../table/described.ts';
import { clockAt } from '../../table/table-clock.ts';
import { tableOf } from '../../table/table.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import { encodeObject, metaType } from '../object/codecs.ts';
import type { OutputForm } from '../http/media-types.ts';
import { negotiateOutput } from '../http/media-types.ts';
import type { KubeObject, ScaleDefinition } from '../registry/definition.ts';
import { ensureNamespace, setOrDelete } from '../registry/rules.ts';
import type { Preconditions } from '../registry/store.ts';
import { decodeConfiguration, reportStrictErrors } from './apply.ts';
import type { Endpoint } from './endpoint.ts';
import { read } from './get.ts';
import type { PatchMechanism } from './patch-mechanism.ts';
import { isApply, mechanismOf, parsePatch, patchType } from './patch-mechanism.ts';
import { bodyHeaders } from './render.ts';
import { storeUpdate } from './store-update.ts';
import type { WriteOptions } from './write.ts';
import { admissionAttributes, checkName, decodeBody, decodeInTurns, readBody, writeContext } from './write.ts';

export const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const;

/** autoscaling/v1 Scale: how many there are and how many are wanted, whatever the kind. */
export interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

export async function scale(endpoint: Endpoint, request: AuthenticatedRequest, definition: ScaleDefinition): Promise<Response> {
  const { resource, context } = endpoint;
  const info = request.info;
  const form = negotiateOutput(request, endpoint.versionedKind.mediaTypes);
  const respond = (parent: KubeObject): Response => {
    const object = scaleOf(parent, definition);
    if (form.as === 'table') return { status: 200, headers: bodyHeaders(form), body: scaleTable(endpoint, request, form, object) };
    const type = context.typeOf('autoscaling/v1', 'Scale');
    return { status: 200, headers: bodyHeaders(form), body: encodeObject(context.codecs, form.media, object, type, form.pretty) };
  };
  switch (info.verb) {
    case 'get': {
      const parent = resource.store.parse(await read(endpoint, info.namespace, info.name, ''));
      if (definition.isUnset?.(parent)) throw internalError(`${describeReplicas(definition)} does not exist`);
      return respond(parent);
    }
    case 'update': {
      const body = await readBody(endpoint.context, request);
      const options = decodeUpdateOptions(request.query);
      const turn = turnsFor(body.length);
      const kind = context.versionedKindOf(scaleKind);
      const decoded =
        turn === undefined ? decodeBody(kind, request, body, options) : await decodeInTurns(kind, request, body, options, turn);
      const wanted = decoded as Scale;
      ensureNamespace(wanted.metadata, info.namespace, resource.namespaced);
      checkName(wanted, info);
      const { uid } = wanted.metadata;
      const change: ScaleChange = { change: () => deepCopy(wanted), tracksFields: true, ...(uid && { preconditions: { uid } }) };
      return respond(await setScale(endpoint, request, definition, options, change));
    }
    case 'patch':
      return respond(await patchScale(endpoint, request, definition));
    default:
      // Of built-in kinds no other verb has a route.
      throw methodNotSupported(resource.groupResource, info.verb);
  }
}

/** A patch of the scale subresource changes the Scale, and the Scale changes the parent. */
async function patchScale(endpoint: Endpoint, request: AuthenticatedRequest, definition: ScaleDefinition): Promise<KubeObject> {
  const { context } = endpoint;
  const versionedKind = context.versionedKindOf(scaleKind);
  const type = patchType(endpoint.versionedKind, request);
  const body = await readBody(endpoint.context, request);
  const options = decodePatchOptions(request.query, type);
  const checked = (patched: KubeObject): Scale => {
    checkName(patched, request.info);
    return patched as Scale;
  };
  if (isApply(type)) {
    const { config, strictErrors } = await decodeConfiguration(endpoint, request, { body, type }, options);
    return setScale(endpoint, request, definition, options, {
      tracksFields: false,
      change(current, manager, now) {
        const { fieldManager, force = false } = options;
        const isCustom = !endpoint.versionedKind.profile.isTyped;
        const { apiVersion, kind } = current;
        if (isCustom && current.metadata.managedFields === undefined && config['kind'] === kind && config['apiVersion'] === apiVersion) {
          throw unconvertible('failed to create manager for existing fields: failed to convert live object', { apiVersion, kind });
        }
        const applied = manager.apply({ live: current as JsonObject, config, manager: fieldManager, force, now });
        if (isCustom && !applied.unchanged) throw unconvertible('failed to convert new object', config);
        reportStrictErrors(request, options, strictErrors);
        return checked(versionedKind.decodeMerged(applied.object));
      },
    });
  }
  const document = parsePatch(body);
  request.audit?.sentPatch(() => body.toString());
  let mechanism: PatchMechanism | undefined;
  return setScale(endpoint, request, definition, options, {
    tracksFields: true,
    change(current) {
      mechanism ??= mechanismOf({ versionedKind, context }, request, type, { body, document }, options);
      return checked(allSteps(mechanism.read(allSteps(mechanism.apply(current)), current)));
    },
  });
}

/**
 * A fault kept: where upstream has no Go object but a Scale that it merged or made up, it takes it for the custom resource, which has
 * no such version.
 */
function unconvertible(what: string, scale: JsonObject): Error {
  return new Error(
    `${what} (${describeObject(scale)}) to proper version: request to convert CR to an invalid group/version: ${scaleKind.group}/${scaleKind.version}`,
  );
}

interface ScaleChange {
  readonly change: (current: Scale, manager: FieldManager, now: string) => Scale;
  /** false: `change` has taken care of managedFields (apply) */
  readonly tracksFields: boolean;
  readonly preconditions?: Preconditions;
}

/** Stores the wanted number of replicas in the parent, under the parent's rules for updates. Who owns them there follows from the Scale. */
async function setScale(
  endpoint: Endpoint,
  request: AuthenticatedRequest,
  definition: ScaleDefinition,
  options: WriteOptions,
  { change, tracksFields, preconditions }: ScaleChange,
): Promise<KubeObject> {
  const { resource, versionedKind, context } = endpoint;
  const { namespace, name } = request.info;
  const write = writeContext(endpoint, request, options, namespace, name, 'scale');
  const shown = context.versionedKindOf(scaleKind);
  const manager = context.fieldManagers.ofType(shown, 'scale');
  const path = (definition.replicasPath ?? ['spec', 'replicas']).map((field) => `f:${field}`);
  const paths: ReplicasPaths = new Map([...resource.versions.values()].map(({ apiVersion }) => [apiVersion, path]));
  const { entry } = await storeUpdate(
    endpoint,
    request,
    write,
    { ...options },
    {
      trackFields: false,
      admittedAs: { versionedKind: shown, of: (parent) => scaleOf(parent, definition) },
      ...(preconditions !== undefined && { preconditions }),
      async change(live) {
        const parent = deepCopy(live as KubeObject);
        const current = scaleOf(parent, definition);
        if (definition.isUnset?.(parent)) current.spec = { replicas: unsetReplicas };
        const managers = parent.metadata.managedFields as ManagedFieldsEntry[] | undefined;
        const ofScale = scaleManagedFields(managers, paths) as ObjectMeta['managedFields'];
        if (ofScale !== undefined) current.metadata.managedFields = ofScale;
        const next = change(deepCopy(current), manager, write.now);
        if (tracksFields) manager.update({ live: current, next, manager: write.fieldManager, now: write.now });
        const about = { resource, versionedKind: shown };
        const attributes = admissionAttributes(about, request, 'UPDATE', write, next, current, { ...options });
        await context.admission.mutate(attributes);
        const wanted = attributes.object as Scale;
        if (wanted.spec?.replicas === unsetReplicas) throw badRequest(`${describeReplicas(definition)} cannot be empty`);
        validateScale(endpoint, wanted);
        definition.setReplicas(parent, wanted.spec?.replicas ?? 0);
        const after = parentManagedFields(
          managers,
          wanted.metadata.managedFields as ManagedFieldsEntry[] | undefined,
          paths,
          versionedKind.apiVersion,
        );
        setOrDelete(parent.metadata, 'managedFields', after as ObjectMeta['managedFields']);
        if (wanted.metadata.resourceVersion) parent.metadata.resourceVersion = wanted.metadata.resourceVersion;
        return parent;
      },
    },
  );
  return resource.store.parse(entry);
}

/** What a Scale has while its object has none, to see whether a write says how many. */
const unsetReplicas = -(2 ** 31);

function describeReplicas({ replicasPath = [] }: ScaleDefinition): string {
  return `the spec replicas field ".${replicasPath.join('.')}"`;
}

function validateScale({ versionedKind }: Endpoint, { metadata, spec }: Scale): void {
  const replicas = spec?.replicas ?? 0;
  // Custom resources say themselves what their replicas may be.
  if (replicas >= 0 || !versionedKind.profile.isTyped) return;
  const error = invalidField(FieldPath.root('spec').child('replicas'), replicas, 'must be greater than or equal to 0');
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, metadata.name ?? '', [error]);
}

const columns: readonly Column<Scale>[] = [
  {
    name: 'Desired',
    type: 'integer',
    description: docOf('io.k8s.api.autoscaling.v1.ScaleSpec', 'replicas'),
    cell: ({ spec }) => spec?.replicas ?? 0,
  },
  {
    name: 'Available',
    type: 'integer',
    description: docOf('io.k8s.api.autoscaling.v1.ScaleStatus', 'replicas'),
    cell: ({ status }) => status?.replicas ?? 0,
  },
  ageColumn,
];

/** Custom resources have columns of their own, in which no replicas wanted is nothing. */
const customColumns: readonly Column<Scale>[] = [
  { name: 'Desired', type: 'integer', description: 'Number of desired replicas', cell: ({ spec }) => spec?.replicas || null },
  { name: 'Available', type: 'integer', description: 'Number of actual replicas', cell: ({ status }) => status?.replicas ?? 0 },
  { ...ageColumn, type: 'date' },
];

function scaleTable({ context, versionedKind }: Endpoint, request: AuthenticatedRequest, form: OutputForm, object: Scale): Buffer {
  const table = tableOf<Scale>({
    columns: versionedKind.profile.isTyped ? columns : customColumns,
    objects: [object],
    listMeta: { resourceVersion: object.metadata.resourceVersion ?? '' },
    includeObject: decodeTableOptions(request.query).includeObject,
    noHeaders: false,
    descriptions: context.descriptions,
    metaVersion: form.metaVersion,
    clock: clockAt(context.clock.now()),
  });
  const [name, ...others] = table.columnDefinitions ?? [];
  // The name of a Scale of a built-in kind is not marked as one: a quirk kept.
  const shown =
    name === undefined || !versionedKind.profile.isTyped ? table : { ...table, columnDefinitions: [{ ...name, format: '' }, ...others] };
  return encodeObject(context.codecs, form.media, shown, metaType(context.codecs, 'Table', form.metaVersion), form.pretty);
}

export function scaleOf(parent: KubeObject, definition: ScaleDefinition): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = parent.metadata;
  const selector = definition.selector(parent);
  const replicas = definition.replicas(parent);
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
    // none are left out, as wherever a Scale is read: their manager keeps them
    spec: replicas ? { replicas } : {},
    status: { replicas: definition.statusReplicas(parent), ...(selector !== '' && { selector }) },
  };
}
