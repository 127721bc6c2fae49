// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/legacytokentracking/controller.go
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ConfigMap } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { keepObjectReconciled } from '../../server/registry/keep-reconciled.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';
import { ensureNamespace } from './system-namespaces.ts';

const metadata = { name: 'kube-apiserver-legacy-service-account-token-tracking', namespace: 'kube-system' };
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
/** Servers of other releases may delete it: one that makes it again at once would never end. */
const creationIntervalMs = 30 * 60_000;

export interface LegacyTokenTrackingOptions {
  readonly reader: ObjectReader;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Says since when the use of tokens kept in secrets is noted, so that the controller that removes unused ones knows how far back the record goes. */
export function legacyTokenTrackingHook(writer: ServerWriter, { reader, clock, log }: LegacyTokenTrackingOptions): BootstrapHook {
  const resource = reader.resource('', 'configmaps');
  let mayCreateAt = -Infinity;
  const track = async (signal: AbortSignal, again: () => void): Promise<void> => {
    const since = new Date(clock.now()).toISOString().slice(0, 'yyyy-mm-dd'.length);
    if ((await resource.store.getCurrent(metadata.namespace, metadata.name)) === undefined) {
      const left = mayCreateAt - clock.elapsed();
      if (left > 0) {
        const timer = clock.setTimeout(again, left);
        signal.addEventListener('abort', () => timer[Symbol.dispose](), { once: true });
        return;
      }
      await ensureNamespace(writer, metadata.namespace);
      await writer.ensure('', 'configmaps', { metadata, data: { since } } as KubeObject);
      mayCreateAt = clock.elapsed() + creationIntervalMs;
      return;
    }
    await writer.change('', 'configmaps', metadata, (configMap: ConfigMap & KubeObject) => {
      if (!isDay(configMap.data?.['since'] ?? '')) configMap.data = { ...configMap.data, since };
    });
  };
  let request = (): void => {};
  const reconcileUntil = (signal: AbortSignal): Promise<void> => track(signal, () => request());
  const failed = (error: unknown): void => log.error('the tracking of legacy tokens could not be begun', { err: error });
  return {
    name: 'start-legacy-token-tracking-controller',
    begin: (signal) => reconcileUntil(signal).catch(failed),
    run: async (signal) => {
      const kept = keepObjectReconciled({
        name: `ConfigMap ${metadata.namespace}/${metadata.name}`,
        resource,
        namespace: metadata.namespace,
        object: metadata.name,
        reconcile: () => reconcileUntil(signal),
        signal,
        clock,
        log,
      });
      request = () => kept.request();
      // What has changed before it was watched.
      request();
    },
  };
}

function isDay(text: string): boolean {
  return dayPattern.test(text) && !Number.isNaN(Date.parse(text));
}
