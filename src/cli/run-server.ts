// Upstream: k8s.io/kubernetes/cmd/kube-apiserver/app/server.go#Run
import type { Logger } from '../base/log.ts';
import type { Verbosity } from '../base/logging/verbosity.ts';
import { assemble } from '../controlplane/assemble.ts';
import { completeConfig } from '../controlplane/config.ts';
import type { ControlPlane } from '../controlplane/control-plane.ts';
import type { ThreadRole } from '../controlplane/workers/thread.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import type { CompletedOptions } from './complete-options.ts';
import { threadConfig } from './thread-config.ts';
import { checkPort } from './thread-role.ts';
import { serverConfig } from './server-config.ts';

/** From valid options to a server that is ready. Loaded late and as one: wrong flags and --help need nothing of it. */
export async function runServer(
  options: CompletedOptions,
  features: FeatureGates,
  log: Logger,
  verbosity: Verbosity,
  stopping: AbortSignal,
  thread: ThreadRole,
): Promise<ControlPlane> {
  const { flags } = options;
  if (thread.role === 'first' && !flags['permit-port-sharing']) await checkPort(flags['bind-address'], flags['secure-port']);
  const server = await assemble(completeConfig(threadConfig(serverConfig(options, features, log, verbosity), thread), thread));
  // One that waits for what cannot be done yet ends when it is asked to. What went wrong is thrown where the end is waited for.
  const stop = (): void => void server.stop().catch(() => {});
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) return server;
  const { address, port } = await server.start();
  log.info(`Serving securely on ${address}:${port}`);
  return server;
}
