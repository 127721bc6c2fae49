// Upstream: k8s.io/apiserver/pkg/cel/library/authz.go

import { checkDns1123Label, nameIsDnsSubdomain } from '../../machinery/names.ts';
import type { Library } from '../declarations.ts';
import { declare, member } from '../declarations.ts';
import type { CelType } from '../types.ts';
import { boolType as bool, stringType as string, structType } from '../types.ts';
import type { Truth, Value } from '../values.ts';
import { CelError, CelObject, noSuchOverload } from '../values.ts';

export const authorizerType = structType('kubernetes.authorization.Authorizer');
export const pathCheckType = structType('kubernetes.authorization.PathCheck');
export const groupCheckType = structType('kubernetes.authorization.GroupCheck');
export const resourceCheckType = structType('kubernetes.authorization.ResourceCheck');
export const decisionType = structType('kubernetes.authorization.Decision');

/** What an expression wants to know about a non-resource path or a resource. */
export interface AuthorizationAttributes {
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
  readonly verb: string;
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export interface AuthorizationDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/** Asks the server's authorizer on behalf of the user of the request, or of the service account named. */
export type Authorize = (attributes: AuthorizationAttributes) => AuthorizationDecision;

type Check = Omit<AuthorizationAttributes, 'verb'>;

/** A value that only its own functions can look into. */
class CheckValue extends CelObject {
  readonly type: CelType;
  readonly authorize: Authorize;
  readonly check: Check;

  constructor(type: CelType, authorize: Authorize, check: Check) {
    super();
    this.type = type;
    this.authorize = authorize;
    this.check = check;
  }

  equals(_other: Value): Truth {
    return noSuchOverload;
  }

  with(type: CelType, more: Check): CheckValue {
    return new CheckValue(type, this.authorize, { ...this.check, ...more });
  }
}

class DecisionValue extends CelObject {
  readonly type = decisionType;
  readonly decision: AuthorizationDecision;

  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }

  equals(_other: Value): Truth {
    return noSuchOverload;
  }
}

/** The variable `authorizer`. */
export const authorizerValue = (authorize: Authorize): CelObject => new CheckValue(authorizerType, authorize, {});

/** The variable `authorizer.requestResource`. */
export const requestResourceValue = (authorize: Authorize, resource: Check): CelObject =>
  new CheckValue(resourceCheckType, authorize, resource);

function path(authorizer: CheckValue, value: string): Value {
  return value.trim() === '' ? new CelError('path must not be empty') : authorizer.with(pathCheckType, { path: value });
}

function resource(group: CheckValue, value: string): Value {
  return value.trim() === '' ? new CelError('resource must not be empty') : group.with(resourceCheckType, { resource: value });
}

function serviceAccount(authorizer: CheckValue, namespace: string, name: string): Value {
  if (nameIsDnsSubdomain(name, false).length > 0) return new CelError('Invalid service account name');
  if (checkDns1123Label(namespace).length > 0) return new CelError('Invalid service account namespace');
  return authorizer.with(authorizerType, { serviceAccount: { namespace, name } });
}

const refine = (field: 'subresource' | 'namespace' | 'name' | 'fieldSelector' | 'labelSelector') => (check: CheckValue, value: string) =>
  check.with(resourceCheckType, { [field]: value });

const decide = (check: CheckValue, verb: string): Value => new DecisionValue(check.authorize({ ...check.check, verb }));

const onResource = [resourceCheckType, string];

export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  functions: [
    declare('path', member('authorizer_path', [authorizerType, string], pathCheckType, path)),
    declare(
      'group',
      member('authorizer_group', [authorizerType, string], groupCheckType, (authorizer: CheckValue, group: string) =>
        authorizer.with(groupCheckType, { group }),
      ),
    ),
    declare('serviceAccount', member('authorizer_serviceaccount', [authorizerType, string, string], authorizerType, serviceAccount)),
    declare('resource', member('groupcheck_resource', [groupCheckType, string], resourceCheckType, resource)),
    declare('subresource', member('resourcecheck_subresource', onResource, resourceCheckType, refine('subresource'))),
    declare('namespace', member('resourcecheck_namespace', onResource, resourceCheckType, refine('namespace'))),
    declare('name', member('resourcecheck_name', onResource, resourceCheckType, refine('name'))),
    declare(
      'check',
      member('pathcheck_check', [pathCheckType, string], decisionType, decide),
      member('resourcecheck_check', onResource, decisionType, decide),
    ),
    declare(
      'errored',
      member('decision_errored', [decisionType], bool, ({ decision }: DecisionValue) => decision.error !== undefined),
    ),
    declare(
      'error',
      member('decision_error', [decisionType], string, ({ decision }: DecisionValue) => decision.error ?? ''),
    ),
    declare(
      'allowed',
      member('decision_allowed', [decisionType], bool, ({ decision }: DecisionValue) => decision.isAllowed),
    ),
    declare(
      'reason',
      member('decision_reason', [decisionType], string, ({ decision }: DecisionValue) => decision.reason),
    ),
  ],
};

export const authorizerSelectorsLibrary: Library = {
  name: 'kubernetes.authzSelectors',
  functions: [
    declare('fieldSelector', member('authorizer_fieldselector', onResource, resourceCheckType, refine('fieldSelector'))),
    declare('labelSelector', member('authorizer_labelselector', onResource, resourceCheckType, refine('labelSelector'))),
  ],
};
