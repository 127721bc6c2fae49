// Upstream: k8s.io/apiserver/pkg/server/filters/goaway.go
import type { Request } from '../http/request.ts';
import type { Filter } from '../http/response.ts';

/** Sends some HTTP/2 clients away after their response: they come back on a new connection, which a balancer may give to another server. */
export function withProbabilisticGoaway<R extends Request>(chance: number, random: () => number = Math.random): Filter<R> {
  return (next) => (request) => {
    if (request.source.protocol === 'HTTP/2.0' && random() < chance) request.responseHeaders['connection'] = 'close';
    return next(request);
  };
}
