// Upstream: k8s.io/apiserver/pkg/server/httplog/httplog.go
import type { Logger } from '../../base/log.ts';
import { goQuote } from '../../base/quote.ts';
import { formatDuration } from '../../machinery/duration.ts';
import type { Request } from '../http/request.ts';
import type { Filter, Handler, Response } from '../http/response.ts';
import type { IdentifiedRequest } from '../request/stages.ts';
import { found } from '../request/stages.ts';
import { verbOf } from './request-labels.ts';

const verbosity = 3;
/** of a response that failed, as much as a person will read */
const mostErrorOutput = 2048;
const mostAuditId = 64;

/**
 * One line for each request, when its response has been sent. Stands outside of what turns errors into responses, so that it knows their
 * status; what other filters have to say about a request (`request.logFields`) goes into its line.
 */
export function withHttpLog(log: Logger): Filter {
  return (next) => (request) => {
    const lines = log.v(verbosity);
    return lines === undefined ? next(request) : logged(lines, next, request);
  };
}

async function logged(lines: Logger, next: Handler, request: Request): Promise<Response> {
  const extra: Record<string, unknown> = (request.logFields = {});
  const response = await next(request);
  const { info } = found(request);
  const write = (): void =>
    lines.info('HTTP', {
      verb: info === undefined ? request.method : verbOf(request, info),
      URI: request.source.target,
      latency: elapsed(request.receivedAt),
      userAgent: request.header('user-agent') ?? '',
      contentType: request.header('content-type') ?? '',
      'audit-ID': ((request as Partial<IdentifiedRequest>).auditId ?? '').slice(0, mostAuditId),
      srcIP: request.source.connection.remotePeer,
      ...extra,
      ...(response.upgrade === undefined ? { resp: response.status, ...failure(response, extra) } : { hijacked: true }),
    });
  return whenSent(request, response, write);
}

/** What a server error says of itself; without it the line would only say that there was one. */
function failure({ status, body }: Response, { statusStack }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (status < 500) return {};
  const output = Buffer.isBuffer(body) ? body.subarray(0, mostErrorOutput).toString() : '';
  return {
    ...(statusStack !== undefined && { statusStack }),
    ...(output !== '' && { addedInfo: `logging error output: ${goQuote(output)}\n` }),
  };
}

function whenSent(request: Request, response: Response, done: () => void): Response {
  const { body, upgrade } = response;
  if (upgrade !== undefined) {
    return {
      ...response,
      upgrade(socket, head) {
        socket.once('close', done);
        upgrade(socket, head);
      },
    };
  }
  if (typeof body !== 'function' || request.method === 'HEAD') {
    done();
    return response;
  }
  let isDone = false;
  const once = (): void => {
    if (!isDone) done();
    isDone = true;
  };
  // A client that has gone is sent nothing: then the body is never asked for.
  request.source.onClose(once);
  return { ...response, body: (sink) => body(sink).finally(once) };
}

/** Since a moment of the monotonic clock, as Go writes durations. */
export function elapsed(since: number): string {
  return formatDuration(BigInt(Math.round((performance.now() - since) * 1e6)));
}
