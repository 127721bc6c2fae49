// Upstream: k8s.io/kube-aggregator/pkg/controllers/status/remote/remote_available_controller.go#sync
import { privilegedGroup } from '../server/request/user.ts';
import type { Verdict } from './availability.ts';
import type { RemoteService } from './remote-service.ts';
import { pathOf } from './remote-service.ts';
import { read } from './service-reader.ts';
import type { ServiceTransport } from './service-transport.ts';
import { hostPort } from '../base/https/dial.ts';

const attempts = 5;
const timeoutMs = 5000;
const user = { name: 'system:kube-aggregator', uid: '', groups: [privilegedGroup], extra: {} };
const passed: Verdict = { status: 'True', reason: 'Passed', message: 'all checks passed' };

/** Whether the server behind a service tells what it serves; several endpoints may be asked, and one response is enough. */
export async function checkDiscovery(transport: ServiceTransport, service: RemoteService, signal: AbortSignal): Promise<Verdict> {
  const enough = new AbortController();
  const until = AbortSignal.any([signal, enough.signal]);
  try {
    await Promise.any(Array.from({ length: attempts }, () => attempt(transport, service, until)));
    return passed;
  } catch (error) {
    const [last] = (error as AggregateError).errors.slice(-1) as Error[];
    return { status: 'False', reason: 'FailedDiscoveryCheck', message: last?.message ?? String(error) };
  } finally {
    enough.abort();
  }
}

async function attempt(transport: ServiceTransport, service: RemoteService, signal: AbortSignal): Promise<void> {
  const url = `https://${hostPort(await transport.addressOf(service))}${pathOf(service)}`;
  const missing = (reason: string): Error => new Error(`failing or missing response from ${url}: ${reason}`);
  const status = await read(transport, service, { target: pathOf(service), user, timeoutMs, signal }).then(
    (answer) => answer.status,
    (error: Error) => {
      const late = error.message === 'context deadline exceeded' ? ' (Client.Timeout exceeded while awaiting headers)' : '';
      throw missing(`Get ${JSON.stringify(url)}: ${error.message}${late}`);
    },
  );
  if (status < 200 || status >= 300) throw missing(`bad status from ${url}: ${status}`);
}
