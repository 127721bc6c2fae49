// Upstream: apiserver/pkg/endpoints/filters/authorization.go, handlers/responsewriters/errors.go
import { ApiError } from '../../machinery/errors.ts';
import { goQuote } from '../../machinery/go-format.ts';
import type { Attributes, Authorizer, Decision } from '../request/authorizer.ts';
import type { Request } from '../http/request.ts';
import type { Filter, Handler, Response } from '../http/response.ts';
import { textResponse } from '../http/response.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { UserInfo } from '../request/user.ts';

export function withAuthorization(authorizer: Authorizer): Filter {
  return (next) => {
    const proceed = (request: Request, attributes: Attributes, { decision, reason, error }: Decision): ReturnType<Handler> => {
      if (request.audit !== undefined) annotate(request, decision === 'allow', reason, error);
      if (decision === 'allow') return next(request);
      if (error !== undefined) return couldNotDecide(request, error);
      throw forbiddenRequest(attributes, reason);
    };
    return (request) => {
      const attributes = attributesOf(request);
      request.audit?.begins('authorization');
      const answer = authorizer.authorize(attributes);
      return answer instanceof Promise
        ? answer.then((decision) => proceed(request, attributes, decision))
        : proceed(request, attributes, answer);
    };
  };
}

function annotate(request: Request, allowed: boolean, reason: string, error: string | undefined): void {
  request.audit?.ends('authorization');
  const failed = !allowed && error !== undefined;
  if (!failed) request.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid');
  request.annotate('authorization.k8s.io/reason', failed ? 'internal error' : reason);
}

/** Not a Status: the original has no serializer at hand where this happens. */
function couldNotDecide(request: Request, error: string): Response {
  const uri = request.rawQuery === '' ? request.path : `${request.path}?${request.rawQuery}`;
  const text = `Internal Server Error: ${goQuote(uri)}: ${error}`;
  return textResponse(500, `${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n`);
}

export function attributesOf(request: Request): Attributes {
  const info = request.info as RequestInfo;
  const labelSelector = info.isResource && request.rawQuery.includes('labelSelector') ? request.query.get('labelSelector') : null;
  const fieldSelector = info.isResource && request.rawQuery.includes('fieldSelector') ? request.query.get('fieldSelector') : null;
  return {
    user: request.user as UserInfo,
    verb: info.verb,
    isResource: info.isResource,
    path: info.path,
    group: info.group,
    version: info.version,
    namespace: info.namespace,
    resource: info.resource,
    subresource: info.subresource,
    name: info.name,
    ...(labelSelector !== null && { labelSelector }),
    ...(fieldSelector !== null && { fieldSelector }),
  };
}

/** 403 in the words of the original: who, what, where, and why not. */
export function forbiddenRequest(attributes: Attributes, reason: string): ApiError {
  const text = `${describe(attributes)}${reason === '' ? '' : `: ${reason}`}`;
  const { group, resource, name } = attributes;
  const of = group === '' ? resource : `${resource}.${group}`;
  const message = !attributes.isResource
    ? `forbidden: ${text}`
    : name === ''
      ? `${of} is forbidden: ${text}`
      : `${of} "${name}" is forbidden: ${text}`;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Forbidden',
    details: {
      ...(name !== '' && { name }),
      ...(group !== '' && { group }),
      ...(resource !== '' && { kind: resource }),
    },
    code: 403,
  });
}

/** `User "u" cannot list resource "pods" in API group "" in the namespace "n"` */
export function describe({ user, verb, isResource, path, group, namespace, resource, subresource }: Attributes): string {
  const who = `User ${goQuote(user.name)}`;
  if (!isResource) return `${who} cannot ${verb} path ${JSON.stringify(path)}`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${who} cannot ${verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
}
