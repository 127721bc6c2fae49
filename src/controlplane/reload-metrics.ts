// Upstream: k8s.io/apiserver/pkg/server/options/{authenticationconfig,authorizationconfig,encryptionconfig}/metrics/metrics.go
import { createHash } from 'node:crypto';
import type { MetricsRegistry } from '../base/metrics.ts';

/** Files that are read again when they change. */
export type ReloadedConfiguration = 'authentication' | 'authorization' | 'encryption';

export function reloadFamilies(registry: MetricsRegistry, of: ReloadedConfiguration) {
  const common = {
    labels: ['status', 'apiserver_id_hash'],
    stability: of === 'encryption' ? 'ALPHA' : 'BETA',
  } as const;
  const prefix = `apiserver_${of}_config_controller_automatic_reload`;
  return {
    reloads: registry.counter({ name: `${prefix}s_total`, help: `How often the configuration of ${of} was read again`, ...common }),
    last: registry.gauge({
      name: `${prefix}_last_timestamp_seconds`,
      help: `When the configuration of ${of} was last read again, in seconds since 1970`,
      ...common,
    }),
  };
}

/** Counts each time that a file was read again, or could not be. */
export function reloadObserver(registry: MetricsRegistry, of: ReloadedConfiguration, serverId: string): (isSuccess: boolean) => void {
  const { reloads, last } = reloadFamilies(registry, of);
  const hash = `sha256:${createHash('sha256').update(serverId).digest('hex')}`;
  return (isSuccess) => {
    const status = isSuccess ? 'success' : 'failure';
    reloads.with(status, hash).inc();
    last.with(status, hash).set(Date.now() / 1000);
  };
}
