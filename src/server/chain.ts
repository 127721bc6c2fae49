// Upstream: apiserver/pkg/server/config.go (DefaultBuildHandlerChain)
import type { Logger } from '../base/log.ts';
import type { RequestAuthenticator } from './access/authn/authenticator.ts';
import type { Authorizer } from './request/authorizer.ts';
import type { Auditor } from './access/audit/auditor.ts';
import { withAudit, withFailedAuthenticationAudit } from './filters/audit.ts';
import { withAuthentication } from './filters/authentication.ts';
import { withAuthorization } from './filters/authorization.ts';
import type { ErrorRenderer } from './filters/errors.ts';
import { withAuditId, withCacheControl, withStrictTransportSecurity } from './filters/headers.ts';
import { withImpersonation } from './filters/impersonation.ts';
import { withRequestInfo } from './filters/request-info.ts';
import type { Filter, Handler } from './http/response.ts';
import type { InFlight } from './lifecycle/in-flight.ts';
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
  readonly metrics: RequestMetrics;
  readonly log: Logger;
  readonly strictTransportSecurity: readonly string[];
}

/** The handler chain, outermost filter first: a request passes from top to bottom. */
export function buildHandlerChain(api: Handler, options: ChainOptions): Handler {
  const { auditor, errors } = options;
  const chain: Filter[] = [
    options.metrics.filter(),
    errors.filter(),
    withAuditId(),
    withRequestInfo(),
    ...(options.strictTransportSecurity.length > 0 ? [withStrictTransportSecurity(options.strictTransportSecurity)] : []),
    withCacheControl(),
    options.inFlight.filter(),
    ...(auditor === undefined ? [] : [withFailedAuthenticationAudit(auditor, errors)]),
    withAuthentication(options.authenticate, options.log),
    ...(auditor === undefined ? [] : [withAudit(auditor, errors)]),
    withImpersonation(options.authorizer, options.constrainedImpersonation),
    withAuthorization(options.authorizer),
  ];
  return chain.reduceRight((next, filter) => filter(next), api);
}
