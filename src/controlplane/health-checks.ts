// Upstream: k8s.io/kubernetes/cmd/kube-apiserver
// Its checks and post-start hooks, in the order in which they register.
import type { HealthCheck } from '../server/routes/health.ts';
import { pingCheck } from '../server/routes/health.ts';

/** What upstream runs as hooks after it starts to serve. Much of it is part of the start here: it is done when the hooks are. */
const postStartHooks: readonly string[] = [
  'start-encryption-provider-config-automatic-reload',
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
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
  'kube-apiserver-autoregistration',
  'autoregister-completion',
  'apiservice-openapi-controller',
  'apiservice-openapiv3-controller',
];

/** a check of its own among the hooks, not one of them */
const completion = 'autoregister-completion';

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
  /** names of the server's own hooks that have not finished */
  readonly pendingHooks: () => readonly string[];
  /** names of hooks that this server does not have by its options */
  readonly without: ReadonlySet<string>;
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

export function healthChecks({ stores, encryption, pendingHooks, without, isStartGraceful, shutdown }: HealthSources): HealthChecks {
  const own = new Set(pendingHooks());
  const finished = (name: string) => (): void => {
    const pending = pendingHooks();
    if (own.has(name) ? pending.includes(name) : pending.length > 0) throw new Error('not finished');
  };
  const hooks = postStartHooks
    .filter((name) => !without.has(name))
    .map((name): HealthCheck => ({ name: name === completion ? name : `poststarthook/${name}`, check: finished(name) }));
  const log: HealthCheck = { name: 'log', check: () => {} };
  const etcd = stores.map(({ health, readiness }, index): { health: HealthCheck; readiness: HealthCheck } => ({
    health: { name: index === 0 ? 'etcd' : `etcd-override-${index - 1}`, check: health },
    readiness: { name: index === 0 ? 'etcd-readiness' : `etcd-override-readiness-${index - 1}`, check: readiness },
  }));
  const always = [pingCheck, log, { name: 'loopback-serving-certificate', check: (): void => {} }, ...etcd.map(({ health }) => health)];
  const patient = hooks.map(({ name, check }): HealthCheck => ({
    name,
    check: (request) => (isStartGraceful() ? undefined : check(request)),
  }));
  return {
    healthy: [...always, ...encryption, ...hooks],
    live: [...always, ...patient],
    ready: [
      pingCheck,
      log,
      ...etcd.flatMap(({ health, readiness }) => [health, readiness]),
      ...encryption,
      { name: 'informer-sync', check: finished('') },
      ...hooks,
      { name: 'shutdown', check: shutdown },
    ],
  };
}
