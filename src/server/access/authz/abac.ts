// Upstream: k8s.io/kubernetes/pkg/auth/authorizer/abac/abac.go, k8s.io/kubernetes/pkg/apis/abac/{v0,v1beta1}/conversion.go
import { withoutTrailing } from '../../../base/trailing.ts';
import type { Shape } from '../../../machinery/strict-shape.ts';
import { unknownFields } from '../../../machinery/strict-shape.ts';
import { isObject } from '../../../patch/json/json-object.ts';
import { authenticatedGroup } from '../../request/user.ts';
import type { UserInfo } from '../../request/user.ts';
import type { Attributes, Authorizer, NonResourceRule, ResourceRule } from '../../request/authorizer.ts';

export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const readVerbs: readonly string[] = ['get', 'list', 'watch'];
const nothing: AbacPolicy = { user: '', group: '', readonly: false, apiGroup: '', resource: '', namespace: '', nonResourcePath: '' };
const apiVersion = 'abac.authorization.kubernetes.io/v1beta1';

const fields: Readonly<Record<string, Shape>> = {
  user: 'string',
  group: 'string',
  readonly: 'bool',
  apiGroup: 'string',
  resource: 'string',
  namespace: 'string',
  nonResourcePath: 'string',
};
const policyShape: Shape = { name: 'Policy', fields: { spec: { name: 'PolicySpec', fields } } };

export interface AbacPolicies {
  readonly policies: readonly AbacPolicy[];
  /** some lines say no version: they are of the form that came before there were any */
  readonly hasUnversioned: boolean;
}

/** Policies of a file, one JSON object per line; empty lines and those that start with # are passed over. */
export function readAbacPolicies(text: string, path: string): AbacPolicies {
  let hasUnversioned = false;
  const policies = text.split('\n').flatMap((ended, index) => {
    const line = ended.replace(/\r$/, '');
    if (/^\s*(#|$)/.test(line)) return [];
    try {
      const object = parseLine(line);
      const isVersioned = object['apiVersion'] === apiVersion && object['kind'] === 'Policy';
      hasUnversioned ||= !isVersioned;
      // What is not known is passed over; what is of the wrong type is not.
      unknownFields(object, isVersioned ? policyShape : { name: 'Policy', fields });
      return [isVersioned ? versioned(policyOf(object['spec'])) : unversioned(policyOf(object))];
    } catch (error) {
      throw new Error(`error reading policy file ${path}, line ${index + 1}: ${line}: ${(error as Error).message}`, { cause: error });
    }
  });
  return { policies, hasUnversioned };
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  let why = 'not an object';
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch (error) {
    why = (error as Error).message;
  }
  throw new Error(`couldn't get version/kind; json parse error: ${why}`);
}

function policyOf(fields: unknown): AbacPolicy {
  return { ...nothing, ...(fields as Partial<AbacPolicy> | undefined) };
}

/** `*` means every authenticated user. */
function versioned(policy: AbacPolicy): AbacPolicy {
  return policy.user === '*' || policy.group === '*' ? { ...policy, user: '', group: authenticatedGroup } : policy;
}

/** What an old policy leaves out it does not restrict. */
function unversioned(policy: AbacPolicy): AbacPolicy {
  const { user, group, namespace, resource } = policy;
  return {
    ...versioned(user === '' && group === '' ? { ...policy, group: authenticatedGroup } : policy),
    namespace: namespace || '*',
    resource: resource || '*',
    apiGroup: '*',
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  };
}

/** Allows what one of the policies allows. */
export function abacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  return {
    authorize: (attributes) =>
      policies.some((policy) => allows(policy, attributes))
        ? { decision: 'allow', reason: '' }
        : { decision: 'no-opinion', reason: 'No policy matched.' },
    rulesFor(user, namespace) {
      const here = policies.filter((policy) => isFor(policy, user) && fits(policy.namespace, namespace));
      return { resourceRules: here.flatMap(resourceRule), nonResourceRules: here.flatMap(nonResourceRule), incomplete: false };
    },
  };
}

function allows(policy: AbacPolicy, attributes: Attributes): boolean {
  if (!isFor(policy, attributes.user)) return false;
  if (policy.readonly && !readVerbs.includes(attributes.verb)) return false;
  return attributes.isResource ? isOfResource(policy, attributes) : isOfPath(policy.nonResourcePath, attributes.path);
}

/** A policy that names neither user nor group matches no user. */
function isFor({ user, group }: AbacPolicy, { name, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || fits(user, name)) && (group === '' || group === '*' || groups.includes(group));
}

function isOfResource(policy: AbacPolicy, { namespace, resource, group }: Attributes): boolean {
  return fits(policy.namespace, namespace) && fits(policy.resource, resource) && fits(policy.apiGroup, group);
}

function isOfPath(wanted: string, path: string): boolean {
  return fits(wanted, path) || (wanted.endsWith('*') && path.startsWith(withoutTrailing(wanted, '*')));
}

function fits(wanted: string, actual: string): boolean {
  return wanted === '*' || wanted === actual;
}

function resourceRule({ readonly, apiGroup, resource }: AbacPolicy): ResourceRule[] {
  return resource === '' ? [] : [{ verbs: verbsOf(readonly), apiGroups: [apiGroup], resources: [resource] }];
}

function nonResourceRule({ readonly, nonResourcePath }: AbacPolicy): NonResourceRule[] {
  return nonResourcePath === '' ? [] : [{ verbs: verbsOf(readonly), nonResourceURLs: [nonResourcePath] }];
}

function verbsOf(readonly: boolean): readonly string[] {
  return readonly ? readVerbs : ['*'];
}
