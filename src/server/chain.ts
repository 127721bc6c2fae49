// Upstream: k8s.io/apiserver/pkg/server/config.go#DefaultBuildHandlerChain
import type { Logger } from '../base/log.ts';
import type { Tracer } from '../base/tracing/tracer.ts';
import type { RequestAuthenticator } from './access/authn/authenticator.ts';
import type { Authorizer } from './request/authorizer.ts';
import type { Auditor } from './access/audit/auditor.ts';
import { withAudit, withFailedAuthenticationAudit } from './filters/audit.ts';
import { withAuthentication } from './filters/authentication.ts';
import { withAuthorization } from './filters/authorization.ts';
import { withCors } from './filters/cors.ts';
import type { ErrorRenderer } from './filters/errors.ts';
import { withProbabilisticGoaway } from './filters/goaway.ts';
import { withAuditId, withCacheControl, withStrictTransportSecurity } from './filters/headers.ts';
import { withHttpLog } from './filters/http-log.ts';
import { withImpersonation } from './filters/impersonation.ts';
import { withRequestInfo } from './filters/request-info.ts';
import { withRetryAfter } from './lifecycle/retry-after.ts';
import type { Request } from './http/request.ts';
import type { Filter, Handler } from './http/response.ts';
import type { AuthenticatedRequest } from './request/stages.ts';
import { withFilterSpan, withFiltersPassed, withTracing } from './filters/tracing.ts';
import type { InFlight } from './lifecycle/in-flight.ts';
import type { FilterMetrics } from './filters/filter-metrics.ts';
import type { RequestMetrics } from './filters/request-metrics.ts';

export interface ChainOptions {
  readonly errors: ErrorRenderer;
  readonly inFlight: InFlight;
  readonly authenticate: RequestAuthenticator;
  readonly authorizer: Authorizer;
  /** undefined: nothing is recorded */
  readonly auditor: Auditor | undefined;
  /** feature ConstrainedImpersonation */
  readonly constrainedImpersonation: boolean;
  /** feature UnauthenticatedHTTP2DOSMitigation */
  readonly limitStrangers: boolean;
  readonly metrics: RequestMetrics;
  readonly filterMetrics: FilterMetrics;
  readonly log: Logger;
  readonly tracer: Tracer;
  readonly strictTransportSecurity: readonly string[];
  /** patterns of origins that browsers may call from */
  readonly corsAllowedOrigins: readonly string[];
  /** share of HTTP/2 requests after which the client is asked to reconnect */
  readonly goawayChance: number;
  /** whether new requests get 429; undefined: never, as the port is closed then */
  readonly sendsAway: (() => boolean) | undefined;
  /** what stands between requests and the server when there are too many of them */
  readonly flowControl: Filter<AuthenticatedRequest> | undefined;
}

/** The handler chain, outermost filter first: a request passes from top to bottom. */
export function buildHandlerChain(api: Handler<AuthenticatedRequest>, options: ChainOptions): Handler {
  const { auditor, errors, filterMetrics, strictTransportSecurity, corsAllowedOrigins, goawayChance, sendsAway, tracer } = options;
  return passing(options.metrics.filter())
    .then(withHttpLog(options.log))
    .then(errors.filter())
    .then(withAuditId())
    .then(withRequestInfo())
    .when(sendsAway && withRetryAfter(sendsAway))
    .when(strictTransportSecurity.length > 0 && withStrictTransportSecurity(strictTransportSecurity))
    .then(withCacheControl())
    .when(goawayChance > 0 && withProbabilisticGoaway(goawayChance))
    .then(options.inFlight.filter())
    .when(corsAllowedOrigins.length > 0 && withCors(corsAllowedOrigins))
    .when(auditor && withFailedAuthenticationAudit(auditor, errors))
    .then(withAuthentication(options.authenticate, options))
    .then(withTracing(tracer, errors))
    .when(tracer.exports && withFilterSpan('audit'))
    .when(auditor && withAudit(auditor, errors))
    .then(filterMetrics.passed('audit'))
    .when(tracer.exports && withFilterSpan(options.constrainedImpersonation ? 'constrainedimpersonation' : 'impersonation'))
    .then(withImpersonation(options.authorizer, options.constrainedImpersonation, options.metrics.impersonation))
    .then(filterMetrics.passed(options.constrainedImpersonation ? 'constrainedimpersonation' : 'impersonation'))
    .when(options.flowControl && tracer.exports && withFilterSpan('priorityandfairness'))
    .when(options.flowControl)
    .when(options.flowControl && filterMetrics.passed('priorityandfairness'))
    .when(tracer.exports && withFilterSpan('authorization'))
    .then(withAuthorization(options.authorizer, filterMetrics))
    .when(tracer.exports && withFiltersPassed())
    .to(api);
}

/** Filters in the order in which a request passes them. A filter fits only where what it relies on has been found out. */
interface Passage<Out extends Request> {
  then<Next extends Out>(filter: Filter<Out, Next>): Passage<Next>;
  when(filter: Filter<Out> | false | undefined): Passage<Out>;
  to(handler: Handler<Out>): Handler;
}

function passing<Out extends Request>(so: Filter<Request, Out>): Passage<Out> {
  return {
    then: (filter) => passing((next) => so(filter(next))),
    when: (filter) => (filter ? passing((next) => so(filter(next))) : passing(so)),
    to: so,
  };
}
