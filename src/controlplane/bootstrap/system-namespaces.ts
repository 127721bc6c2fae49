// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/systemnamespaces
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';
import { periodically } from './periodically.ts';

const systemNamespaces = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];
const intervalMs = 60_000;

/** Before the first object in it: parts of a start get there in any order. */
export function ensureNamespace(writer: ServerWriter, name: string): Promise<void> {
  return writer.ensure('', 'namespaces', { metadata: { name } });
}

/** Namespaces that every cluster has, at any time. */
export function systemNamespacesHook(writer: ServerWriter, { clock, log }: { clock: Clock; log: Logger }): BootstrapHook {
  const ensure = async (): Promise<void> => {
    await Promise.all(systemNamespaces.map((name) => ensureNamespace(writer, name)));
  };
  const failed = (error: unknown): void => log.error('a system Namespace could not be created', { err: error });
  return {
    name: 'start-system-namespaces-controller',
    begin: () => ensure().catch(failed),
    run: async (signal) => periodically(ensure, { everyMs: intervalMs, clock, signal, failed }),
  };
}
