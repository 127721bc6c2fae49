// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go#CollectParams
import { describeKind, parseGroupVersion } from '../../../machinery/group-version.ts';
import { selectorOf } from '../../../machinery/label-selector.ts';
import type { GroupVersionKind } from '../../../machinery/type-model.ts';
import type { ParamKind, ParamRef } from '../../../schema/types/admissionregistration-v1.ts';
import { versionedObject } from '../../../server/admission/matching/versioned-object.ts';
import type { ObjectReader } from '../../../server/registry/object-reader.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Resource } from '../../../server/registry/resource.ts';

/** The resource that a policy's parameters are objects of. */
export interface ParamResource {
  readonly resource: Resource;
  readonly kind: GroupVersionKind;
}

export function paramResource(reader: ObjectReader, { apiVersion = '', kind = '' }: ParamKind): ParamResource {
  const wanted = { ...(parseGroupVersion(apiVersion) ?? { group: '', version: '' }), kind };
  const resource = reader.resourceOf(wanted);
  if (resource === undefined) throw new Error(`failed to find resource referenced by paramKind: '${describeKind(wanted)}'`);
  return { resource, kind: wanted };
}

/** A policy is applied once for each of these, read one by one as they are asked for; `undefined` is one without parameters. */
export type Params = Iterable<KubeObject | undefined>;

const withoutParams: Params = [undefined];

/** Throws what is wrong with the reference, also that it leads to nothing where that is to be refused. */
export async function collectParams(
  of: ParamResource | undefined,
  paramRef: ParamRef | undefined,
  requestNamespace: string,
  reader: ObjectReader,
): Promise<Params> {
  if (of === undefined || paramRef === undefined) return withoutParams;
  const namespace = namespaceOf(of.resource, paramRef, requestNamespace);
  const found = await find(of.resource, paramRef, namespace, reader);
  if (found.length === 0 && paramRef.parameterNotFoundAction === 'Deny') {
    throw new Error('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  const match = { resource: of.resource, version: of.kind.version, kind: of.kind };
  return inVersion(found, match);
}

function* inVersion(params: readonly (() => KubeObject)[], match: Parameters<typeof versionedObject>[1]): Generator<KubeObject> {
  for (const param of params) yield versionedObject(param(), match);
}

function namespaceOf({ namespaced }: Resource, { namespace = '' }: ParamRef, requestNamespace: string): string {
  if (!namespaced) {
    if (namespace !== '') throw new Error('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    return '';
  }
  const where = namespace || requestNamespace;
  if (where === '') throw new Error('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  return where;
}

async function find(
  { names, store, keyPrefix }: Resource,
  { name = '', selector }: ParamRef,
  namespace: string,
  reader: ObjectReader,
): Promise<(() => KubeObject)[]> {
  if (name !== '') {
    const param = await reader.get<KubeObject>(names.group, names.plural, namespace, name);
    return param === undefined ? [] : [() => param];
  }
  const wanted = selectorOf(selector);
  await store.cache.ready();
  const { items } = store.cache.list({ prefix: namespace === '' ? keyPrefix : `${keyPrefix}${namespace}/` });
  const found: (() => KubeObject)[] = [];
  for (const entry of items) if (wanted.matches(entry.labels ?? {})) found.push(() => store.parse(entry));
  return found;
}
