// Upstream: k8s.io/apiserver/pkg/endpoints/filters/authentication.go
import { unauthorized } from '../../machinery/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { RequestAuthenticator } from '../access/authn/authenticator.ts';
import type { UserInfo } from '../request/user.ts';
import { anonymousUser, unauthenticatedGroup } from '../request/user.ts';
import type { FilterMetrics } from './filter-metrics.ts';
import type { AuthenticatedRequest, ParsedRequest } from '../request/stages.ts';
import { authenticated } from '../request/stages.ts';
import type { Filter, Handler } from '../http/response.ts';

export interface AuthenticationOptions {
  readonly log: Logger;
  /** feature UnauthenticatedHTTP2DOSMitigation */
  readonly limitStrangers: boolean;
  readonly filterMetrics: FilterMetrics;
}

export function withAuthentication(
  authenticate: RequestAuthenticator,
  { log, limitStrangers, filterMetrics }: AuthenticationOptions,
): Filter<ParsedRequest, AuthenticatedRequest> {
  return (next) => {
    // HTTP/2 is costly and easy to abuse: an unauthenticated client gets one request for each connection.
    const stranger = (request: ParsedRequest): void => {
      if (limitStrangers && request.source.protocol === 'HTTP/2.0') request.responseHeaders['connection'] = 'close';
    };
    const failed = (request: ParsedRequest, error: unknown): never => {
      filterMetrics.authenticated(request, 'error');
      log.error('Unable to authenticate the request', {
        err: error instanceof AggregateError ? error : new AggregateError([error], messageOf(error)),
      });
      stranger(request);
      throw unauthorized('Unauthorized');
    };
    const proceed = (request: ParsedRequest, user: UserInfo | undefined): ReturnType<Handler> => {
      if (user === undefined) {
        filterMetrics.authenticated(request, 'failure');
        stranger(request);
        throw unauthorized('Unauthorized');
      }
      filterMetrics.authenticated(request, 'success', user.name);
      if (isAnonymous(user)) stranger(request);
      else request.source.connection.known = true;
      return next(authenticated(request, user));
    };
    return (request) => {
      request.filterBegan = performance.now();
      let answer: ReturnType<RequestAuthenticator>;
      try {
        answer = authenticate(request);
      } catch (error) {
        return failed(request, error);
      }
      if (!(answer instanceof Promise)) return proceed(request, answer);
      return answer.catch((error: unknown) => failed(request, error)).then((user) => proceed(request, user));
    };
  };
}

function isAnonymous({ name, groups }: UserInfo): boolean {
  return name === anonymousUser || groups.includes(unauthenticatedGroup);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
