// Upstream: k8s.io/apiserver/pkg/admission/plugin/cel/compile.go, k8s.io/apiserver/pkg/authentication/cel/compile.go
// Upstream: k8s.io/apiserver/pkg/authorization/cel/compile.go

import type { DeclaredType } from '../declared-types.ts';
import { declared, typeProvider } from '../declared-types.ts';
import type { Environment } from '../environment.ts';
import type { CelType } from '../types.ts';
import { anyType, dynType, intType, mapOf, stringType, timestampType } from '../types.ts';
import { authorizerType, resourceCheckType } from './authorizer.ts';
import type { Use } from './environments.ts';
import { baseEnvironment, patchEnvironment } from './environments.ts';
import { withPatchTypes } from './patch-types.ts';

const { string, bool, dyn, list, map, object } = declared;
const timestamp: DeclaredType = { ...string, celType: timestampType };
const integer: DeclaredType = { ...string, celType: intType };

const strings = (...names: string[]): Record<string, DeclaredType> => Object.fromEntries(names.map((name) => [name, string]));

const userInfo = object('kubernetes.UserInfo', { ...strings('username', 'uid'), groups: list(string), extra: map(list(string)) });
const groupVersionKind = object('kubernetes.GroupVersionKind', strings('group', 'version', 'kind'));
const groupVersionResource = object('kubernetes.GroupVersionResource', strings('group', 'version', 'resource'));

/** The variable `request` of admission. */
export const admissionRequestType = object('kubernetes.AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  ...strings('subResource', 'requestSubResource', 'name', 'namespace', 'operation'),
  userInfo,
  dryRun: bool,
  options: dyn,
});

const namespaceCondition = object('kubernetes.NamespaceCondition', {
  ...strings('status', 'type', 'message', 'reason'),
  lastTransitionTime: timestamp,
});

/** The variable `namespaceObject` of admission. */
export const namespaceType = object('kubernetes.Namespace', {
  metadata: object('kubernetes.NamespaceMetadata', {
    ...strings('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
    labels: map(string),
    annotations: map(string),
    creationTimestamp: timestamp,
    deletionTimestamp: timestamp,
    deletionGracePeriodSeconds: integer,
    generation: integer,
    finalizers: list(string),
  }),
  spec: object('kubernetes.NamespaceSpec', { finalizers: list(string) }),
  status: object('kubernetes.NamespaceStatus', { conditions: list(namespaceCondition), phase: string }),
});

const selectorRequirement = object('kubernetes.SelectorRequirement', { ...strings('key', 'operator'), values: list(string) });
const selector = (name: string): DeclaredType => object(name, { rawSelector: string, requirements: list(selectorRequirement) });

/** The variable `request` of webhook authorization. */
export const subjectAccessReviewType = object('kubernetes.SubjectAccessReviewSpec', {
  resourceAttributes: object('kubernetes.ResourceAttributes', {
    ...strings('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
    fieldSelector: selector('kubernetes.FieldSelectorAttributes'),
    labelSelector: selector('kubernetes.LabelSelectorAttributes'),
  }),
  nonResourceAttributes: object('kubernetes.NonResourceAttributes', strings('path', 'verb')),
  ...strings('user', 'uid'),
  groups: list(string),
  extra: map(list(string)),
});

export interface AdmissionVariables {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** For the mutations of mutating policies: they construct objects and patches. */
  readonly hasPatches?: boolean;
  /** Types of the variables that the policy defines. */
  readonly variables?: DeclaredType;
}

/** For admission policies, and for the match conditions of webhooks and policies. */
export function admissionEnvironment(use: Use, { hasParams, hasAuthorizer, hasPatches, variables }: AdmissionVariables): Environment {
  const base = hasPatches ? patchEnvironment(use) : baseEnvironment(use);
  const declarations: Record<string, CelType> = {
    object: dynType,
    oldObject: dynType,
    request: admissionRequestType.celType,
    namespaceObject: namespaceType.celType,
    ...(hasParams && { params: dynType }),
    ...(hasAuthorizer && { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType }),
    ...(variables && { variables: variables.celType }),
  };
  const types = typeProvider(admissionRequestType, namespaceType, ...(variables ? [variables] : []));
  return base.extend(declarations, hasPatches ? withPatchTypes(types) : types);
}

/** For expressions of the structured authentication configuration. */
export const authenticationEnvironment = (variable: 'claims' | 'user'): Environment =>
  variable === 'claims'
    ? baseEnvironment('stored').extend({ claims: mapOf(stringType, anyType) })
    : baseEnvironment('stored').extend({ user: userInfo.celType }, typeProvider(userInfo));

/** For match conditions of the structured authorization configuration. */
export const authorizationEnvironment = (): Environment =>
  baseEnvironment('stored').extend({ request: subjectAccessReviewType.celType }, typeProvider(subjectAccessReviewType));
