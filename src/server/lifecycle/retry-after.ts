// Upstream: k8s.io/apiserver/pkg/server/filters/with_retry_after.go
import type { Request } from '../http/request.ts';
import type { Filter } from '../http/response.ts';
import { textResponse } from '../http/response.ts';

const exemptPaths = ['/readyz', '/livez', '/healthz', '/metrics'];

/** Requests that are served to the end: those of probes, and of servers, which clean up after themselves. */
export function isExemptFromRetryAfter(request: Request): boolean {
  return (
    exemptPaths.some((path) => request.path.startsWith(path)) || (request.header('user-agent')?.startsWith('kube-apiserver/') ?? false)
  );
}

/** While the server stops, new requests are sent elsewhere, each with its connection. */
export function withRetryAfter<R extends Request>(isStopping: () => boolean): Filter<R> {
  return (next) => (request) => {
    if (!isStopping() || isExemptFromRetryAfter(request)) return next(request);
    const headers = { 'retry-after': '5', connection: 'close' };
    return textResponse(429, 'The apiserver is shutting down, please try again later.\n', headers);
  };
}
