// Upstream: k8s.io/apiserver/pkg/server/filters/cors.go
import { RE2JS } from 're2js';
import type { Request } from '../http/request.ts';
import type { Filter } from '../http/response.ts';

const headers = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
};

/** Lets pages of these origins call: RE2 patterns of which one must match somewhere in the Origin header. */
export function withCors<R extends Request>(origins: readonly string[]): Filter<R> {
  const patterns = origins.map((pattern) => RE2JS.compile(pattern));
  return (next) => (request) => {
    const origin = request.header('origin');
    if (!origin || !patterns.some((pattern) => pattern.matcher(origin).find())) return next(request);
    Object.assign(request.responseHeaders, headers, { 'access-control-allow-origin': origin });
    // Browsers ask first, without saying who the user is.
    return request.method === 'OPTIONS' ? { status: 204, headers: {} } : next(request);
  };
}

/** What is wrong with a pattern; undefined when nothing is. One that is not tied to both ends of the host lets in others than it seems to. */
export function originProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
  const isPinned = /\^|\/\//.test(pattern) && /[$:]/.test(pattern);
  return isPinned ? undefined : 'regular expression does not pin to start/end of host in the origin header';
}
