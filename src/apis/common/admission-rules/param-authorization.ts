// Upstream: k8s.io/kubernetes/pkg/registry/admissionregistration/{validating,mutating}admissionpolicy{,binding}/authz.go
// A policy gives no user access to parameters that the user may not read directly.
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden } from '../../../machinery/field.ts';
import { parseGroupVersion } from '../../../machinery/group-version.ts';
import type { ParamKind, ParamRef } from '../../../schema/types/admissionregistration-v1.ts';
import type { UserInfo } from '../../../server/request/user.ts';
import { privilegedGroup } from '../../../server/request/user.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';

interface Policy extends KubeObject {
  readonly spec: { readonly paramKind?: ParamKind };
}

export interface Binding extends KubeObject {
  readonly spec: { readonly policyName?: string; readonly paramRef?: ParamRef };
}

interface Target {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

type PolicyPlural = 'validatingadmissionpolicies' | 'mutatingadmissionpolicies';

const everything: Target = { group: '*', version: '*', resource: '*' };
const kindPath = FieldPath.root('spec', 'paramKind');
const refPath = FieldPath.root('spec', 'paramRef');

/** A user who names a kind of parameters must be allowed to get all objects of it. */
export async function validateParamAccess({ spec }: Policy, old: Policy | undefined, context: WriteContext): Promise<FieldError[]> {
  const { paramKind } = spec;
  if (paramKind === undefined || isSuperuser(context.user)) return [];
  const { apiVersion = '', kind = '' } = paramKind;
  const before = old?.spec.paramKind;
  if (before !== undefined && before.apiVersion === apiVersion && before.kind === kind) return [];
  const target = targetOf(paramKind, context).target;
  if (await isAllowed(context, 'get', target, '*', '*')) return [];
  const user = showUser(context.user);
  const problem = `user ${user} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
  return [forbidden(kindPath, problem)];
}

/** A user who binds parameters must be allowed to read them; where their kind is unknown, everything. */
export function paramRefAccess(
  plural: PolicyPlural,
): (binding: Binding, old: Binding | undefined, context: WriteContext) => Promise<FieldError[]> {
  // Also asked when nothing has changed: upstream compares pointers.
  return async ({ spec: { policyName = '', paramRef } }, _old, context) => {
    if (paramRef === undefined || isSuperuser(context.user)) return [];
    const policy = await context.reader.get<Policy>('admissionregistration.k8s.io', plural, '', policyName);
    const paramKind = policy?.spec.paramKind;
    const { target, problem } = paramKind === undefined ? { target: everything } : targetOf(paramKind, context);
    const { name = '', namespace = '' } = paramRef;
    const verb = name === '' ? 'list' : 'get';
    if (await isAllowed(context, verb, target, name, namespace)) return [];
    const user = showUser(context.user);
    const unknown = policy === undefined ? `get policy ${policyName}` : problem;
    if (unknown !== undefined) {
      const wanted = `user ${user} does not have "${verb}" permission for all groups, versions and resources`;
      return [forbidden(refPath, `unable to ${unknown} to determine minimum required permissions and ${wanted}`)];
    }
    // A quirk: for mutating policies verb and user have changed places.
    const [first, second] = plural === 'mutatingadmissionpolicies' ? [verb, user] : [user, verb];
    return [forbidden(refPath, `user ${first} does not have "${second}" permission on the object referenced by paramRef`)];
  };
}

function targetOf(paramKind: ParamKind, { reader }: WriteContext): { readonly target: Target; readonly problem?: string } {
  const { apiVersion = '', kind = '' } = paramKind;
  const shown = `paramKind &{${apiVersion} ${kind}}`;
  const parsed = parseGroupVersion(apiVersion);
  if (parsed === undefined) return { target: everything, problem: `parse ${shown}` };
  const resource = reader.resourceOf({ ...parsed, kind })?.names.plural;
  if (resource === undefined) return { target: { ...parsed, resource: '*' }, problem: `resolve ${shown}` };
  return { target: { ...parsed, resource } };
}

async function isAllowed(
  { authorizer, user }: WriteContext,
  verb: string,
  target: Target,
  name: string,
  namespace: string,
): Promise<boolean> {
  const attributes = { user, verb, isResource: true, path: '', ...target, namespace, subresource: '', name };
  return (await authorizer.authorize(attributes)).decision === 'allow';
}

function isSuperuser({ groups }: UserInfo): boolean {
  return groups.includes(privilegedGroup);
}

/** As Go prints the struct. */
function showUser({ name, uid, groups, extra }: UserInfo): string {
  const extras = Object.keys(extra)
    .toSorted()
    .map((key) => `${key}:[${extra[key]!.join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${extras.join(' ')}]}`;
}
