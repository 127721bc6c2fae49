// Upstream: k8s.io/apiserver/pkg/endpoints/filters/traces.go, k8s.io/apiserver/pkg/endpoints/filterlatency/filterlatency.go
import { activeSpan, inSpan } from '../../base/tracing/active-span.ts';
import type { Attributes, Span } from '../../base/tracing/span.ts';
import { scopes, spanKind } from '../../base/tracing/span.ts';
import { readBaggage } from '../../base/tracing/baggage.ts';
import { parseTraceParent } from '../../base/tracing/trace-context.ts';
import type { Tracer } from '../../base/tracing/tracer.ts';
import type { Request } from '../http/request.ts';
import type { BodySink, Filter, Handler, Response } from '../http/response.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { ErrorRenderer } from './errors.ts';

const mostAuditId = 64;
/** may say what their requests are part of */
const trustedGroups: readonly string[] = ['system:masters', 'system:monitoring'];
const serializeThresholdMs = 5000;
const verbThresholdMs = 500;

/** Makes a request the root of what is recorded of it: for export, or for the log when it takes long. */
export function withTracing(tracer: Tracer, errors: ErrorRenderer): Filter<AuthenticatedRequest> {
  return (next) => (request) => {
    const header = request.header('traceparent');
    const given = request.header('baggage');
    if (header === undefined && given === undefined && !tracer.exports && !tracer.logsSlow) return next(request);
    const remote = parseTraceParent(header, request.header('tracestate'));
    const isTrusted = request.user.groups.some((group) => trustedGroups.includes(group));
    // Of whom it comes does not matter: upstream passes it on for every user.
    const span = tracer.startRequest(remote, isTrusted, request.receivedAt, readBaggage(given));
    return span === undefined ? next(request) : traced(span, next, request, errors);
  };
}

async function traced(
  span: Span,
  next: Handler<AuthenticatedRequest>,
  request: AuthenticatedRequest,
  errors: ErrorRenderer,
): Promise<Response> {
  if (span.isExported) {
    span.name = spanName(request);
    span.set(requestAttributes(request));
  }
  let response: Response;
  let failed = false;
  try {
    response = await inSpan(span, () => next(request));
  } catch (error) {
    failed = true;
    response = errors.render(request, error);
  }
  return sent(response, request, new Sending(span, request, failed));
}

/** What is recorded while the response is sent. */
class Sending {
  readonly #root: Span;
  readonly #verb: Span | undefined;
  readonly #object: Span | undefined;
  readonly #failed: boolean;
  /** lists say less of themselves */
  readonly #isList: boolean;
  #status = 0;

  constructor(root: Span, request: AuthenticatedRequest, failed: boolean) {
    this.#root = root;
    this.#verb = request.span;
    this.#failed = failed;
    this.#isList = request.info.verb === 'list';
    if (!failed && !this.#isList) this.#verb?.event('About to write a response');
    const { method, path, source } = request;
    this.#object = this.#verb?.start('SerializeObject', {
      'audit-id': request.auditId.slice(0, mostAuditId),
      method,
      url: path,
      protocol: source.protocol,
    });
  }

  begins({ status, headers }: Response, size: number, { source, info }: AuthenticatedRequest): void {
    this.#status = status;
    const mediaType = String(headers['content-type'] ?? '').split(';')[0] ?? '';
    this.#object?.set({ mediaType, encoder: encoderText(mediaType, this.#failed ? 'v1' : groupVersion(info)) });
    const writer = `*responsewriter.outerWithCloseNotify${source.protocol === 'HTTP/1.1' ? 'FlushAndHijack' : 'AndFlush'}`;
    // A list is written piece by piece, beginning with a brace.
    this.#object?.event('About to start writing response', { writer, size: this.#isList && !this.#failed ? 1 : size });
  }

  ends(size: number): void {
    this.#object?.event('Write call succeeded', { size });
    this.#object?.end(serializeThresholdMs);
    if (!this.#failed && !this.#isList) this.#verb?.event('Writing http response done');
    this.#verb?.end(verbThresholdMs);
    if (this.#root.isExported) {
      this.#root.isError = this.#status >= 500;
      this.#root.set({ 'http.response.status_code': this.#status, ...(size > 0 && { 'http.response.body.size': size }) });
    }
    this.#root.end();
  }
}

function sent(response: Response, request: AuthenticatedRequest, sending: Sending): Response {
  const { body, upgrade } = response;
  if (upgrade !== undefined || typeof body !== 'function' || request.method === 'HEAD') {
    const size = Buffer.isBuffer(body) ? body.length : 0;
    sending.begins(response, size, request);
    sending.ends(size);
    return response;
  }
  let size = 0;
  let isOver = false;
  const over = (): void => {
    if (!isOver) sending.ends(size);
    isOver = true;
  };
  // The first piece of a body that is made while it is sent is small.
  sending.begins(response, 1, request);
  // A client that has gone is sent nothing: then the body is never asked for.
  request.source.onClose(over);
  const counted = (sink: BodySink): BodySink => ({
    write(chunk, flushed) {
      size += chunk.length;
      return sink.write(chunk, flushed);
    },
    drained: () => sink.drained(),
    get pending() {
      return sink.pending;
    },
    get closed() {
      return sink.closed;
    },
    onClose: (callback) => sink.onClose(callback),
    ...(sink.separate !== undefined && { separate: sink.separate }),
  });
  return { ...response, body: (sink) => body(counted(sink)).finally(over) };
}

function groupVersion({ group, version }: RequestInfo): string {
  return group === '' ? version : `${group}/${version}`;
}

/** As upstream's encoders call themselves. */
function encoderText(mediaType: string, encodeGV: string): string {
  const isYaml = mediaType === 'application/yaml';
  const encoder =
    mediaType === 'application/vnd.kubernetes.protobuf'
      ? 'protobuf'
      : JSON.stringify({ name: isYaml ? 'yaml' : 'json', pretty: 'false', strict: 'false', yaml: String(isYaml) });
  return JSON.stringify({ encodeGV, encoder, name: 'versioning' });
}

function spanName({ method, info }: AuthenticatedRequest): string {
  if (!info.isResource) return method;
  const { apiPrefix, group, version, namespace, resource, name, subresource } = info;
  const parts = [
    apiPrefix,
    ...(group === '' ? [] : [group]),
    version,
    ...(namespace === '' ? [] : ['namespaces', '{:namespace}']),
    resource,
    ...(name === '' ? [] : ['{:name}']),
    ...(subresource === '' ? [] : [subresource]),
  ];
  return `${method} /${parts.join('/')}`;
}

function requestAttributes(request: AuthenticatedRequest): Attributes {
  const { method, path, source } = request;
  const { remoteAddress, remotePort } = source.connection;
  const host = /^(.*?)(?::(\d+))?$/.exec(request.header(':authority') ?? request.header('host') ?? '');
  const length = Number(request.header('content-length') ?? 0);
  const agent = request.header('user-agent');
  return {
    'audit-id': request.auditId.slice(0, mostAuditId),
    'client.address': remoteAddress,
    ...(length > 0 && { 'http.request.body.size': length }),
    'http.request.method': method,
    'http.target': source.target,
    'network.peer.address': remoteAddress,
    ...(remotePort !== undefined && { 'network.peer.port': remotePort }),
    'network.protocol.version': source.protocol === 'HTTP/1.1' ? '1.1' : '2.0',
    'server.address': (host?.[1] ?? '').replace(/^\[(.*)\]$/, '$1'),
    ...(host?.[2] !== undefined && { 'server.port': Number(host[2]) }),
    'url.path': path,
    'url.scheme': 'https',
    ...(agent !== undefined && { 'user_agent.original': agent }),
  };
}

/** Before a filter: the time until the next filter, or the handler, is a span of its own, and what comes after it is part of it. */
export function withFilterSpan<R extends Request>(name: string): Filter<R> {
  return (next) => (request) => {
    const outer = activeSpan();
    if (outer?.isExported !== true) return next(request);
    endFilterSpan(outer);
    const span = outer.startExported(name, scopes.filter, spanKind.internal);
    return inSpan(span, async () => {
      try {
        return await next(request);
      } finally {
        span?.end();
      }
    });
  };
}

/** Behind the last filter. */
export function withFiltersPassed<R extends Request>(): Filter<R> {
  return (next) => (request) => {
    endFilterSpan(activeSpan());
    return next(request);
  };
}

function endFilterSpan(span: Span | undefined): void {
  if (span?.scope === scopes.filter) span.end();
}
