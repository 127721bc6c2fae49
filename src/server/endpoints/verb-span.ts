// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/trace_util.go#traceFields
import { activeSpan, inSpan } from '../../base/tracing/active-span.ts';
import type { Attributes } from '../../base/tracing/span.ts';
import type { Response } from '../http/response.ts';
import { labelsOf } from '../filters/request-labels.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';

const mostAuditId = 64;

const names: Readonly<Record<string, string>> = {
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
  get: 'Get',
  list: 'List',
};

/** Runs the handler of a verb as a part of what is recorded of its request; nothing else is to be done for most requests. */
export function inVerbSpan(request: AuthenticatedRequest, handler: () => Response | Promise<Response>): Response | Promise<Response> {
  const outer = activeSpan();
  const name = outer === undefined ? undefined : names[request.info.verb];
  if (outer === undefined || name === undefined) return handler();
  const span = outer.start(name, attributesOf(request));
  // It ends when the response has been sent, by the filter that began it all.
  request.span = span;
  return inSpan(span, handler);
}

/** What is said of writing an object, whether it succeeds or not. */
export async function storing<T>(request: AuthenticatedRequest, length: number, store: () => Promise<T>): Promise<T> {
  const { span } = request;
  if (span === undefined) return store();
  span.event('About to store object in database');
  try {
    const result = await store();
    span.event('Write to database call succeeded', { len: length });
    return result;
  } catch (error) {
    span.event('Write to database call failed', { len: length, err: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

function attributesOf(request: AuthenticatedRequest): Attributes {
  const { info, source } = request;
  const { scope, verb } = labelsOf(request, info);
  return {
    accept: request.header('accept') ?? '',
    'audit-id': request.auditId.slice(0, mostAuditId),
    client: source.connection.remoteAddress,
    'api-group': info.group,
    'api-version': info.version,
    name: info.name,
    subresource: info.subresource,
    namespace: info.namespace,
    protocol: source.protocol,
    resource: info.resource,
    scope,
    url: request.path,
    'user-agent': request.header('user-agent') ?? '',
    verb,
  };
}
