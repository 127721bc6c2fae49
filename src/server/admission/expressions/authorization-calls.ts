// Upstream: k8s.io/apiserver/pkg/admission/plugin/authorizer/caching_authorizer.go, k8s.io/apiserver/pkg/cel/library/authz.go
import type { AuthorizationAttributes, AuthorizationDecision, Authorize } from '../../../cel/kubernetes/authorizer.ts';
import { authorizerValue, requestResourceValue } from '../../../cel/kubernetes/authorizer.ts';
import type { CelObject } from '../../../cel/values.ts';
import type { UserInfo } from '../../request/user.ts';
import type { Authorizer, Decision } from '../../request/authorizer.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { requestNamespace } from '../matching/endpoint-kind.ts';

/** Thrown where an expression needs a decision that the authorizer has to wait for: once it is there, the expression is evaluated again. */
export class PendingDecision {
  readonly settled: Promise<void>;

  constructor(settled: Promise<void>) {
    this.settled = settled;
  }
}

/** The calls that the expressions of one request make to the authorizer, each made once. Expressions cannot wait; authorizers may have to. */
export class AuthorizationCalls {
  readonly #authorizer: Authorizer;
  readonly #user: UserInfo;
  readonly #decisions = new Map<string, AuthorizationDecision>();
  /** the variable `authorizer` */
  readonly authorizer: CelObject;
  /** the variable `authorizer.requestResource` */
  readonly requestResource: CelObject;

  constructor(authorizer: Authorizer, attributes: AdmissionAttributes) {
    this.#authorizer = authorizer;
    this.#user = attributes.user;
    const { resource, subresource, name } = attributes;
    const authorize: Authorize = (asked) => this.#authorize(asked);
    this.authorizer = authorizerValue(authorize);
    this.requestResource = requestResourceValue(authorize, {
      group: resource.names.group,
      resource: resource.names.plural,
      subresource,
      namespace: requestNamespace(attributes),
      name,
    });
  }

  #authorize(attributes: AuthorizationAttributes): AuthorizationDecision {
    const key = JSON.stringify(attributes);
    const known = this.#decisions.get(key);
    if (known !== undefined) return known;
    const answer = this.#authorizer.authorize(accessAttributes(attributes, this.#user));
    if (!(answer instanceof Promise)) return this.#remember(key, answer);
    throw new PendingDecision(
      answer.then(
        (decision) => void this.#remember(key, decision),
        (error: Error) => void this.#remember(key, { decision: 'no-opinion', reason: '', error: error.message }),
      ),
    );
  }

  #remember(key: string, { decision, reason, error }: Decision): AuthorizationDecision {
    const answer = { isAllowed: decision === 'allow', reason, ...(error !== undefined && { error }) };
    this.#decisions.set(key, answer);
    return answer;
  }
}

function accessAttributes(attributes: AuthorizationAttributes, user: UserInfo): Parameters<Authorizer['authorize']>[0] {
  const { serviceAccount, verb, path = '', group = '', resource = '', subresource = '', namespace = '', name = '' } = attributes;
  const { fieldSelector, labelSelector } = attributes;
  return {
    user: serviceAccount === undefined ? user : serviceAccountUser(serviceAccount),
    verb,
    isResource: attributes.path === undefined,
    path,
    group,
    version: attributes.path === undefined ? '*' : '',
    namespace,
    resource,
    subresource,
    name,
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
}

/** A quirk kept: it is in the groups of service accounts, but not in that of all who are known. */
function serviceAccountUser({ namespace, name }: { readonly namespace: string; readonly name: string }): UserInfo {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name: `system:serviceaccount:${namespace}:${name}`, uid: '', groups, extra: {} };
}
