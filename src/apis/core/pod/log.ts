// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/rest/log.go, k8s.io/apiserver/pkg/registry/generic/rest/{streamer,response_checker}.go
import type { MetricsRegistry } from '../../../base/metrics.ts';
import { describeFailure } from '../../../base/https/https-client.ts';
import type { IncomingResponse, Peer } from '../../../base/https/streaming-client.ts';
import { hostPort } from '../../../base/https/dial.ts';
import { UnreachableError } from '../../../base/https/streaming-client.ts';
import { badRequest, internalError, invalid } from '../../../machinery/errors.ts';
import { serverResponseError } from '../../../machinery/server-response-error.ts';
import type { Subresource } from '../../../server/registry/definition.ts';
import { copy } from '../../../server/proxy/passing.ts';
import type { OutgoingConnections } from '../../common/kubelet.ts';
import { kubeletOf } from '../../common/kubelet.ts';
import { chooseContainer } from './container-choice.ts';
import { logQuery, readLogOptions, validateLogOptions } from './log-options.ts';
import type { PodObject } from './pod-object.ts';
import { podStreamFamilies } from './stream-metrics.ts';

/** bytes of a refusal that are shown */
const maxQuotedBytes = 50_000;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function log(outgoing: OutgoingConnections, registry: MetricsRegistry): Subresource<PodObject> {
  const { logs, untrustedLogs } = podStreamFamilies(registry);
  return {
    async connect(call) {
      const { request, name, namespace, context } = call;
      const mayChooseStream = context.features.enabled('PodLogsQuerySplitStreams');
      const options = readLogOptions(request.query, mayChooseStream);
      logs.with(options.insecureSkipTlsVerifyBackend ? 'skip_tls_allowed' : 'enforce_tls').inc();
      const errors = validateLogOptions(options, mayChooseStream);
      if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, name, errors);
      const pod = await call.parent();
      const container = chooseContainer(pod, options.container);
      if (!pod.spec.nodeName) return { status: 204, headers: {} };
      const { peer } = await kubeletOf(context.reader, pod.spec.nodeName, outgoing.kubelets);
      const query = logQuery(options).toString();
      const target = `/containerLogs/${namespace}/${name}/${container}${query === '' ? '' : `?${query}`}`;
      const trusted = options.insecureSkipTlsVerifyBackend ? { ...peer, authorities: undefined, insecure: true } : peer;
      const answer = await ask(outgoing, trusted, target, request.signal).catch((error: unknown) => {
        if ((error as Error).message.includes('x509:')) untrustedLogs.with().inc();
        throw error;
      });
      await check(answer, name);
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: (sink) => copy(answer, sink) };
    },
  };
}

async function ask({ client }: OutgoingConnections, peer: Peer, target: string, signal: AbortSignal): Promise<IncomingResponse> {
  try {
    const answer = await client.exchange(peer, { method: 'GET', target, headers: {}, signal });
    return 'response' in answer ? answer.response : answer;
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const text = describeFailure(error.cause as Error, signal, false);
    throw new Error(`Get "https://${hostPort(peer)}${target}": ${text}`, { cause: error });
  }
}

/** A kubelet's refusal is passed on in its own words. */
async function check(answer: IncomingResponse, name: string): Promise<void> {
  const { statusCode: code = 0, headers } = answer;
  if (code >= 200 && code <= 206) return;
  if (redirects.has(code) && headers.location) {
    answer.destroy();
    throw new Error(`Get "${headers.location}": redirects forbidden`);
  }
  const text = await beginning(answer);
  if (code === 500) throw internalError(text);
  if (code === 400) throw badRequest(text);
  throw serverResponseError({ code, resource: { group: '', resource: 'pods/log' }, name, serverMessage: text });
}

async function beginning(answer: IncomingResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= maxQuotedBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxQuotedBytes).toString();
}
