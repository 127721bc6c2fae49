// Upstream: k8s.io/apiserver/pkg/endpoints/filters/{audit,authn_audit}.go
import { statusOf } from '../../machinery/errors.ts';
import type { Auditor } from '../access/audit/auditor.ts';
import type { RequestAudit } from '../access/audit/request-audit.ts';
import { collected, mayBeStatus, responseObject } from '../access/audit/response-object.ts';
import { found } from '../request/stages.ts';
import type { AuthenticatedRequest, ParsedRequest } from '../request/stages.ts';
import type { Filter, Handler, Response } from '../http/response.ts';
import { textResponse } from '../http/response.ts';
import { isLongRunning } from '../lifecycle/in-flight.ts';
import type { ErrorRenderer } from './errors.ts';
import { toApiError } from './errors.ts';

/** Records what the policy wants recorded: that a request came, that the response to a long one has begun, and how it ended. */
export function withAudit(auditor: Auditor, errors: ErrorRenderer): Filter<AuthenticatedRequest> {
  return (next) => (request) => {
    const audit = auditor.audit(request, request.user);
    if (audit === undefined) return next(request);
    request.audit = audit;
    return audited(auditor, errors, next, request, audit);
  };
}

async function audited(
  auditor: Auditor,
  errors: ErrorRenderer,
  next: Handler<AuthenticatedRequest>,
  request: AuthenticatedRequest,
  audit: RequestAudit,
): Promise<Response> {
  if (!(await audit.stage('RequestReceived'))) {
    auditor.rejected();
    return textResponse(500, `Internal Server Error: ${JSON.stringify(request.source.target)}: failed to store audit event\n`);
  }
  const response = await answer(auditor, errors, next, request, audit);
  if (!isLongRunning(request.info)) {
    await audit.stage('ResponseComplete');
    return response;
  }
  await audit.stage('ResponseStarted');
  return whenComplete(response, async () => void (await audit.stage('ResponseComplete')));
}

/** What the rest of the chain says, an error included; recorded in the audit event. */
async function answer(
  auditor: Auditor,
  errors: ErrorRenderer,
  next: Handler<AuthenticatedRequest>,
  request: AuthenticatedRequest,
  audit: RequestAudit,
): Promise<Response> {
  let response: Response;
  try {
    response = await next(request);
  } catch (error) {
    if (isFault(error)) {
      const message = `APIServer panic'd: ${error.message}`;
      audit.answered(
        500,
        { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 },
        undefined,
      );
      await audit.stage('Panic');
      throw error;
    }
    return refused(errors, request, audit, error);
  }
  return recorded(auditor, request, audit, response);
}

/** A quirk kept: an error in a form that the client does not accept is not recorded. */
function refused(errors: ErrorRenderer, request: ParsedRequest, audit: RequestAudit, error: unknown): Response {
  const response = errors.render(request, error);
  const status = errors.negotiated(request) === undefined ? undefined : statusOf(toApiError(error));
  audit.answered(response.status, status, status && JSON.stringify(status));
  return response;
}

async function recorded(auditor: Auditor, request: AuthenticatedRequest, audit: RequestAudit, response: Response): Promise<Response> {
  const info = request.info;
  // The response of another server through us is not ours to record.
  const isOurs = !info.isResource || request.routed !== undefined;
  const isWanted = isOurs && (audit.wantsResponse || mayBeStatus(response));
  const shown = isWanted && !isLongRunning(info) ? await collected(response) : response;
  const object = isWanted ? await responseObject(auditor.codecs, shown) : undefined;
  if (object === 'omitted') {
    audit.annotate('audit.k8s.io/truncated', 'true');
    audit.answered(response.status, undefined, undefined);
  } else audit.answered(response.status, object?.status, object?.json);
  return shown;
}

/** Faults of ours, which in upstream would be panics. Whatever else is thrown is a response. */
function isFault(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** Calls back when the response has ended. */
function whenComplete(response: Response, done: () => Promise<void>): Response | Promise<Response> {
  const { body, upgrade } = response;
  if (upgrade !== undefined) {
    return {
      ...response,
      upgrade(socket, head) {
        socket.once('close', () => void done());
        upgrade(socket, head);
      },
    };
  }
  if (body === undefined || Buffer.isBuffer(body)) return done().then(() => response);
  return {
    ...response,
    async body(sink) {
      try {
        await body(sink);
      } finally {
        await done();
      }
    },
  };
}

/** Around authentication: those who could not say who they are. */
export function withFailedAuthenticationAudit(auditor: Auditor, errors: ErrorRenderer): Filter<ParsedRequest> {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (found(request).user !== undefined || isFault(error)) throw error;
      const audit = auditor.audit(request, undefined);
      if (audit === undefined) throw error;
      const response = refused(errors, request, audit, error);
      await audit.stage('ResponseStarted');
      return response;
    }
  };
}
