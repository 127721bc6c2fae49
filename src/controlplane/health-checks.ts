// Upstream: k8s.io/kubernetes/cmd/kube-apiserver
// Its checks and post-start hooks, in the order in which they register.
import type { Logger } from '../base/log.ts';
import type { HealthCheck } from '../server/routes/health.ts';
import { pingCheck } from '../server/routes/health.ts';

/** The order of upstream's hooks. A server has those whose parts it has. */
const postStartHooks: readonly string[] = [
  'start-encryption-provider-config-automatic-reload',
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'max-in-flight-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'start-kube-apiserver-coordinated-leader-election-controller',
  'peer-endpoint-reconciler-controller',
  'mixed-version-proxy-handler',
  'local-discovery-cache-sync',
  'peer-discovery-workers',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'aggregator-reload-proxy-client-cert',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'built-in-resources-storage-version-updater',
  'kube-apiserver-autoregistration',
  'autoregister-completion',
  'apiservice-openapi-controller',
  'apiservice-openapiv3-controller',
];

/** a check of its own among the hooks, not one of them */
const completion = 'autoregister-completion';

/** Upstream's loopback certificate is as old as the process, and ends after three years: then a restart is due. */
const loopbackMs = (3 * 365 + 1) * 24 * 3600 * 1000;
const longestBlockedMs = 2 * 60_000;

export interface StoreHealth {
  readonly health: () => Promise<void>;
  /** the same with the patience of readiness */
  readonly readiness: () => Promise<void>;
}

export interface HealthSources {
  /** of the store, and of those of single resources */
  readonly stores: readonly StoreHealth[];
  /** of KMS plugins; /livez has none of them: a restart does not help a plugin */
  readonly encryption: readonly HealthCheck[];
  /** that upstream does not have; a restart does not help what they find */
  readonly own?: readonly HealthCheck[];
  /** names of the server's hooks */
  readonly hooks: readonly string[];
  /** names of those that have not finished */
  readonly pendingHooks: () => readonly string[];
  /** throws until all APIServices of built-in kinds have been available */
  readonly registration: () => void;
  /** resources that parts of this server ask for and that are not loaded yet */
  readonly loading: () => readonly string[];
  readonly now: () => number;
  readonly log: Logger;
  /** whether /livez does not mind yet that hooks have not finished */
  readonly isStartGraceful: () => boolean;
  /** rejects while the process is shutting down */
  readonly shutdown: () => void;
}

export interface HealthChecks {
  readonly healthy: readonly HealthCheck[];
  readonly live: readonly HealthCheck[];
  readonly ready: readonly HealthCheck[];
}

export function healthChecks(sources: HealthSources): HealthChecks {
  const { stores, encryption, pendingHooks, registration, loading, isStartGraceful, shutdown, now, log: logger, own = [] } = sources;
  const finished = (name: string) => (): void => {
    if (pendingHooks().includes(name)) throw new Error('not finished');
  };
  const present = new Set(sources.hooks);
  const hooks = postStartHooks.flatMap((name): HealthCheck[] => {
    if (name === completion) return [{ name, check: registration }];
    return present.has(name) ? [{ name: `poststarthook/${name}`, check: finished(name) }] : [];
  });
  const log: HealthCheck = {
    name: 'log',
    check: () => {
      if ((logger.blockedMs?.() ?? 0) >= longestBlockedMs) throw new Error('logging blocked');
    },
  };
  const etcd = stores.map(({ health, readiness }, index): { health: HealthCheck; readiness: HealthCheck } => ({
    health: { name: index === 0 ? 'etcd' : `etcd-override-${index - 1}`, group: 'etcd', check: health },
    readiness: {
      name: index === 0 ? 'etcd-readiness' : `etcd-override-readiness-${index - 1}`,
      group: 'etcd-readiness',
      check: readiness,
    },
  }));
  const startedAt = now();
  const loopback: HealthCheck = {
    name: 'loopback-serving-certificate',
    check: () => {
      if (now() > startedAt + loopbackMs) throw new Error('loopback serving certificate is expired');
    },
  };
  const informers: HealthCheck = {
    name: 'informer-sync',
    check: () => {
      const names = loading();
      if (names.length > 0) throw new Error(`${names.length} informers not started yet: [${names.join(' ')}]`);
    },
  };
  const always = [pingCheck, log, loopback, ...etcd.map(({ health }) => health)];
  const patient = hooks.map(({ name, check }): HealthCheck => ({
    name,
    check: (request) => (isStartGraceful() ? undefined : check(request)),
  }));
  return {
    healthy: [...always, ...encryption, ...hooks, ...own],
    live: [...always, ...patient],
    ready: [
      pingCheck,
      log,
      ...etcd.flatMap(({ health, readiness }) => [health, readiness]),
      ...encryption,
      informers,
      ...hooks,
      ...own,
      { name: 'shutdown', check: shutdown },
    ],
  };
}
