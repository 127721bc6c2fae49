// Upstream: apiserver/pkg/endpoints/filters/cachecontrol.go, server/filters/hsts.go, endpoints/filters/audit_init.go
import { randomUUID } from 'node:crypto';
import type { Filter } from '../http/response.ts';

/** Every answer carries the id under which the request is known in the audit log; a client may bring its own. */
export function withAuditId(): Filter {
  return (next) => (request) => {
    request.auditId = request.header('audit-id') || randomUUID();
    request.responseHeaders['audit-id'] = request.auditId;
    return next(request);
  };
}

/** Nothing an API server says may be kept by a shared cache, unless a handler says otherwise. */
export function withCacheControl(): Filter {
  return (next) => (request) => {
    request.responseHeaders['cache-control'] = 'no-cache, private';
    return next(request);
  };
}

export function withStrictTransportSecurity(directives: readonly string[]): Filter {
  const value = directives.join('; ');
  return (next) => (request) => {
    request.responseHeaders['strict-transport-security'] = value;
    return next(request);
  };
}
