// Upstream: k8s.io/kube-aggregator/pkg/apiserver/handler_proxy.go, k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go
import type { OutgoingHttpHeaders } from 'node:http';
import type { IncomingResponse, OutgoingRequest } from '../base/https/streaming-client.ts';
import { UnreachableError } from '../base/https/streaming-client.ts';
import type { UserInfo } from '../server/request/user.ts';
import { anonymous } from '../server/request/user.ts';
import type { AuthenticatedRequest } from '../server/request/stages.ts';
import type { Response } from '../server/http/response.ts';
import { textResponse } from '../server/http/response.ts';
import { isUpgrade, passed, upgraded } from '../server/proxy/passing.ts';
import type { Backend } from './backend.ts';
import { UnresolvedError } from './backend.ts';
import { forwardedHeaders } from './proxy-headers.ts';

export interface PassingOptions {
  /** --aggregator-reject-forwarding-redirect */
  readonly rejectRedirects: boolean;
  /** feature RemoteRequestHeaderUID */
  readonly remoteUid: boolean;
  /** said to the server besides what the client says */
  readonly headers?: OutgoingHttpHeaders;
}

/** Discovery is cheap, and every client waits for it. */
const discoveryTimeoutMs = 5000;
const redirected = 'the backend attempted to redirect this request, which is not permitted';

export function unavailable(): Response {
  return textResponse(503, 'service unavailable\n');
}

/** Passes a request on to another server, and its response back, both as they come. Calls `failed` when the server does not respond. */
export async function passOn(
  locate: () => Promise<Backend>,
  request: AuthenticatedRequest,
  { rejectRedirects, remoteUid, headers }: PassingOptions,
  failed: () => void,
): Promise<Response> {
  const upgrade = isUpgrade(request);
  const user: UserInfo = request.user ?? anonymous;
  try {
    const backend = await locate();
    const outgoing: OutgoingRequest = {
      method: request.method,
      target: request.source.target,
      headers: { ...forwardedHeaders(request, remoteUid ? user : { ...user, uid: '' }, backend.address, upgrade), ...headers },
      body: upgrade ? undefined : request.source.body,
      signal: isDiscovery(request) ? AbortSignal.any([request.signal, AbortSignal.timeout(discoveryTimeoutMs)]) : request.signal,
    };
    const answer = await backend.exchange(outgoing);
    if ('response' in answer) return upgraded(answer);
    if (upgrade && (answer.statusCode ?? 0) < 400) {
      answer.destroy();
      return textResponse(503, `invalid upgrade response: status code ${answer.statusCode}\n`);
    }
    if (rejectRedirects && isRedirect(answer)) {
      answer.destroy();
      return { status: 502, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(redirected) };
    }
    return passed(answer, request);
  } catch (error) {
    if (error instanceof UnresolvedError) return unavailable();
    if (!(error instanceof UnreachableError)) throw error;
    failed();
    return textResponse(503, `${upgrade ? 'error dialing backend' : 'error trying to reach service'}: ${error.message}\n`);
  }
}

/** `/apis/group/version` */
function isDiscovery({ path, info }: AuthenticatedRequest): boolean {
  return !info.isResource && path.split('/').filter((step) => step !== '').length === 3;
}

function isRedirect({ statusCode = 0, headers }: IncomingResponse): boolean {
  return statusCode >= 300 && statusCode <= 399 && headers.location !== undefined && headers.location !== '';
}
