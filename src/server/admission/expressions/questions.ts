// Upstream: apiserver/pkg/admission/plugin/authorizer/caching_authorizer.go, apiserver/pkg/cel/library/authz.go
import type { AuthorizationAttributes, AuthorizationDecision, Authorize } from '../../../cel/kubernetes/authorizer.ts';
import { authorizerValue, requestResourceValue } from '../../../cel/kubernetes/authorizer.ts';
import type { CelObject } from '../../../cel/values.ts';
import type { UserInfo } from '../../request/user.ts';
import type { Authorizer, Decision } from '../../request/authorizer.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { requestNamespace } from '../matching/endpoint-kind.ts';

/** Thrown where an expression asks what takes time to answer: when it has been answered, the expression is evaluated again. */
export class Unanswered {
  readonly answered: Promise<void>;

  constructor(answered: Promise<void>) {
    this.answered = answered;
  }
}

/** What the expressions of one request ask the authorizer: everything once. Expressions cannot wait, authorizers may have to. */
export class Questions {
  readonly #authorizer: Authorizer;
  readonly #user: UserInfo;
  readonly #answers = new Map<string, AuthorizationDecision>();
  /** the variable `authorizer` */
  readonly authorizer: CelObject;
  /** the variable `authorizer.requestResource` */
  readonly requestResource: CelObject;

  constructor(authorizer: Authorizer, attributes: AdmissionAttributes) {
    this.#authorizer = authorizer;
    this.#user = attributes.user;
    const { resource, subresource, name } = attributes;
    const ask: Authorize = (question) => this.#ask(question);
    this.authorizer = authorizerValue(ask);
    this.requestResource = requestResourceValue(ask, {
      group: resource.names.group,
      resource: resource.names.plural,
      subresource,
      namespace: requestNamespace(attributes),
      name,
    });
  }

  #ask(question: AuthorizationAttributes): AuthorizationDecision {
    const key = JSON.stringify(question);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#authorizer.authorize(accessAttributes(question, this.#user));
    if (!(answer instanceof Promise)) return this.#remember(key, answer);
    throw new Unanswered(
      answer.then(
        (decision) => void this.#remember(key, decision),
        (error: Error) => void this.#remember(key, { decision: 'no-opinion', reason: '', error: error.message }),
      ),
    );
  }

  #remember(key: string, { decision, reason, error }: Decision): AuthorizationDecision {
    const answer = { isAllowed: decision === 'allow', reason, ...(error !== undefined && { error }) };
    this.#answers.set(key, answer);
    return answer;
  }
}

function accessAttributes(question: AuthorizationAttributes, user: UserInfo): Parameters<Authorizer['authorize']>[0] {
  const { serviceAccount, verb, path = '', group = '', resource = '', subresource = '', namespace = '', name = '' } = question;
  const { fieldSelector, labelSelector } = question;
  return {
    user: serviceAccount === undefined ? user : serviceAccountUser(serviceAccount),
    verb,
    isResource: question.path === undefined,
    path,
    group,
    version: question.path === undefined ? '*' : '',
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
