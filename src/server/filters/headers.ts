// Upstream: k8s.io/apiserver/pkg/endpoints/filters/cachecontrol.go, k8s.io/apiserver/pkg/server/filters/hsts.go
// Upstream: k8s.io/apiserver/pkg/endpoints/filters/audit_init.go
import { randomUUID } from 'node:crypto';
import type { Request } from '../http/request.ts';
import type { Filter } from '../http/response.ts';
import type { IdentifiedRequest } from '../request/stages.ts';
import { identified } from '../request/stages.ts';

/** Every response carries the id under which the request is known in the audit log; a client may bring its own. */
export function withAuditId(): Filter<Request, IdentifiedRequest> {
  return (next) => (request) => {
    const id = request.header('audit-id') || randomUUID();
    request.responseHeaders['audit-id'] = id;
    return next(identified(request, id));
  };
}

/** Nothing an API server says may be kept by a shared cache, unless a handler says otherwise. */
export function withCacheControl<R extends Request>(): Filter<R> {
  return (next) => (request) => {
    request.responseHeaders['cache-control'] = 'no-cache, private';
    return next(request);
  };
}

export function withStrictTransportSecurity<R extends Request>(directives: readonly string[]): Filter<R> {
  const value = directives.join('; ');
  return (next) => (request) => {
    request.responseHeaders['strict-transport-security'] = value;
    return next(request);
  };
}
