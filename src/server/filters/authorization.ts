// Upstream: k8s.io/apiserver/pkg/endpoints/filters/authorization.go
import { goQuote } from '../../machinery/go-format.ts';
import type { AuditContext } from '../request/audit-context.ts';
import type { Attributes, Authorizer, Decision } from '../request/authorizer.ts';
import { attributesOf } from '../request/attributes.ts';
import { forbiddenRequest } from '../request/forbidden.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { AuthorizationResult, FilterMetrics } from './filter-metrics.ts';
import type { Filter, Handler, Response } from '../http/response.ts';
import { textResponse } from '../http/response.ts';

export function withAuthorization(authorizer: Authorizer, metrics: FilterMetrics): Filter<AuthenticatedRequest> {
  return (next) => {
    const proceed = (request: AuthenticatedRequest, attributes: Attributes, { decision, reason, error }: Decision): ReturnType<Handler> => {
      metrics.authorized(request, resultOf(decision, error));
      if (request.audit !== undefined) annotate(request.audit, decision === 'allow', reason, error);
      if (decision === 'allow') {
        request.place = 'handling';
        return next(request);
      }
      if (error !== undefined) return couldNotDecide(request, error);
      request.responseHeaders['x-content-type-options'] = 'nosniff';
      throw forbiddenRequest(attributes, reason);
    };
    return (request) => {
      request.place = 'authorization';
      const attributes = attributesOf(request);
      request.audit?.begins('authorization');
      const answer = authorizer.authorize(attributes);
      return answer instanceof Promise
        ? answer.then((decision) => proceed(request, attributes, decision))
        : proceed(request, attributes, answer);
    };
  };
}

function resultOf(decision: Decision['decision'], error: string | undefined): AuthorizationResult {
  if (decision === 'allow') return 'allowed';
  if (error !== undefined) return 'error';
  return decision === 'deny' ? 'denied' : 'no-opinion';
}

function annotate(audit: AuditContext, allowed: boolean, reason: string, error: string | undefined): void {
  audit.ends('authorization');
  const failed = !allowed && error !== undefined;
  if (!failed) audit.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid');
  audit.annotate('authorization.k8s.io/reason', failed ? 'internal error' : reason);
}

/** Not a Status: upstream has no serializer at hand where this happens. */
function couldNotDecide(request: AuthenticatedRequest, error: string): Response {
  const uri = request.rawQuery === '' ? request.path : `${request.path}?${request.rawQuery}`;
  const text = `Internal Server Error: ${goQuote(uri)}: ${error}`;
  return textResponse(500, `${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n`);
}
