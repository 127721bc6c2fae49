// Upstream: apiserver/pkg/endpoints/filters/authentication.go
import { unauthorized } from '../../machinery/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { RequestAuthenticator } from '../access/authn/authenticator.ts';
import type { UserInfo } from '../request/user.ts';
import type { AuthenticatedRequest, ParsedRequest } from '../request/stages.ts';
import { authenticated } from '../request/stages.ts';
import type { Filter, Handler } from '../http/response.ts';

export function withAuthentication(authenticate: RequestAuthenticator, log: Logger): Filter<ParsedRequest, AuthenticatedRequest> {
  return (next) => {
    const failed = (error: unknown): never => {
      log.info('unable to authenticate the request', { error: String(error) });
      throw unauthorized('Unauthorized');
    };
    const proceed = (request: ParsedRequest, user: UserInfo | undefined): ReturnType<Handler> => {
      if (user === undefined) throw unauthorized('Unauthorized');
      return next(authenticated(request, user));
    };
    return (request) => {
      let answer: ReturnType<RequestAuthenticator>;
      try {
        answer = authenticate(request);
      } catch (error) {
        return failed(error);
      }
      return answer instanceof Promise ? answer.catch(failed).then((user) => proceed(request, user)) : proceed(request, answer);
    };
  };
}
