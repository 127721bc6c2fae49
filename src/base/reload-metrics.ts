// Upstream: k8s.io/apiserver/pkg/server/options/{authenticationconfig,authorizationconfig,encryptionconfig}/metrics/metrics.go
// Upstream: k8s.io/apiserver/pkg/admission/plugin/manifest/metrics/metrics.go
import { createHash } from 'node:crypto';
import type { MetricsRegistry } from './metrics.ts';

/** Files that are read again when they change. */
export const reloadedConfigurations = ['authentication', 'authorization', 'encryption', 'manifest_admission'] as const;
export type ReloadedConfiguration = (typeof reloadedConfigurations)[number];

const subjects = {
  authentication: 'the configuration of authentication',
  authorization: 'the configuration of authorization',
  encryption: 'the configuration of encryption',
  manifest_admission: 'a folder of webhooks or policies',
} as const;

export function reloadFamilies(registry: MetricsRegistry, of: ReloadedConfiguration) {
  const isStable = of === 'authentication' || of === 'authorization';
  const perPlugin: readonly string[] = of === 'manifest_admission' ? ['plugin'] : [];
  const labels: readonly string[] = ['status', ...perPlugin, 'apiserver_id_hash'];
  const infoLabels: readonly string[] = [...perPlugin, 'apiserver_id_hash', 'hash'];
  const common = { labels, stability: isStable ? 'BETA' : 'ALPHA' } as const;
  const prefix = `apiserver_${of}_config_controller`;
  return {
    reloads: registry.counter({ name: `${prefix}_automatic_reloads_total`, help: `How often ${subjects[of]} was read again`, ...common }),
    last: registry.gauge({
      name: `${prefix}_automatic_reload_last_timestamp_seconds`,
      help: `When ${subjects[of]} was last read again, in seconds since 1970`,
      ...common,
    }),
    info: registry.gauge({
      name: `${prefix}_last_config_info`,
      help: `Always 1; the hash is that of ${subjects[of]} in force`,
      labels: infoLabels,
    }),
  };
}

export interface ReloadObserverOptions {
  readonly of: ReloadedConfiguration;
  /** the identity of the server; '' when it has none */
  readonly serverId: string;
  /** the admission plugin whose files these are */
  readonly plugin?: string;
}

/** Counts each time that files were read again, or could not be, and shows the hash of what is in force. */
export class ReloadObserver {
  readonly #families;
  readonly #plugin: readonly string[];
  readonly #server: string;
  #shown: readonly string[] | undefined;

  constructor(registry: MetricsRegistry, { of, serverId, plugin }: ReloadObserverOptions) {
    this.#families = reloadFamilies(registry, of);
    this.#plugin = plugin === undefined ? [] : [plugin];
    this.#server = contentHash(serverId);
  }

  /** What was read at the start, or has just taken effect: its hash, as `contentHash` makes it. */
  inForce(hash: string): void {
    if (this.#shown !== undefined) this.#families.info.remove(...this.#shown);
    this.#shown = [...this.#plugin, this.#server, hash];
    this.#families.info.with(...this.#shown).set(1);
  }

  reloaded(hash: string): void {
    this.#count('success');
    this.inForce(hash);
  }

  failed(): void {
    this.#count('failure');
  }

  #count(status: 'success' | 'failure'): void {
    const values = [status, ...this.#plugin, this.#server];
    this.#families.reloads.with(...values).inc();
    this.#families.last.with(...values).set(Date.now() / 1000);
  }
}

export function contentHash(content: string | Uint8Array): string {
  return content.length === 0 ? '' : `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
