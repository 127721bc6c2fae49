import type { AddressInfo } from 'node:net';
import type { AutoRegistration } from '../aggregator/auto-registration.ts';
import { MetricsRegistry } from '../base/metrics.ts';
import type { Cidr } from '../machinery/ip.ts';
import { parseCidr } from '../machinery/ip.ts';
import type { ApiServer } from '../server/api-server.ts';
import { installDiscovery } from '../server/discovery/install.ts';
import type { DiscoveryRegistry } from '../server/discovery/registry.ts';
import type { PathMux } from '../server/http/path-mux.ts';
import type { Handler } from '../server/http/response.ts';
import type { Codecs } from '../server/object/codecs.ts';
import type { OpenApi } from '../server/openapi/open-api.ts';
import { installFlagPage, installStatusPage } from '../server/routes/debug-pages.ts';
import type { HealthCheck } from '../server/routes/health.ts';
import { HealthMetrics } from '../server/routes/health-metrics.ts';
import { installHealth } from '../server/routes/health.ts';
import { installMetrics } from '../server/routes/metrics-page.ts';
import { installRootPaths } from '../server/routes/root-paths.ts';
import { kubernetesVersion } from '../server/object/kubernetes-version.ts';
import { installVersion } from '../server/routes/version.ts';
import type { Storage } from '../storage/storage.ts';
import type { ServerConfig } from './config.ts';
import { healthChecks } from './health-checks.ts';
import type { Peers } from './peers.ts';
import type { ServerContext } from './server-context.ts';
import { installDebugging } from './observability.ts';
import { serviceAddress } from './service-address.ts';
import { hostPort } from './serving.ts';
import { storageDefaults } from './storage.ts';
import type { Workers } from './workers/workers.ts';

const component = 'apiserver';

interface PathParts {
  readonly server: ApiServer;
  readonly storage: Storage;
  /** those of single resources */
  readonly otherStores: readonly Storage[];
  /** of KMS plugins */
  readonly encryptionChecks: readonly HealthCheck[];
  readonly peers: Peers;
  readonly codecs: Codecs;
  readonly discovery: DiscoveryRegistry;
  readonly openApi: OpenApi;
  readonly registration: AutoRegistration;
  /** resources that are not loaded yet though parts of this server ask for them */
  readonly loading: () => readonly string[];
  readonly notFound: Handler;
  /** undefined: the process has no other threads that serve */
  readonly workers: Workers | undefined;
}

/** Where clients are sent to. */
export interface OwnAddress {
  listening(address: AddressInfo): void;
  /** host and port, for those outside the cluster */
  own(): string;
}

/** Paths that are no resources: health, metrics, discovery, OpenAPI, version, pages for people. */
export function installPaths(mux: PathMux, config: ServerConfig, context: ServerContext, parts: PathParts): OwnAddress {
  const { clock, log, metrics, features } = context;
  const { server, storage, otherStores, encryptionChecks, peers, codecs, discovery, openApi, notFound, workers } = parts;
  const graceUntil = clock.now() + config.serving.livezGraceMs;
  const { healthy, live, ready } = healthChecks({
    stores: [storage, ...otherStores].map((store) => ({
      health: () => store.health({ timeoutMs: config.storage.healthTimeoutMs || storageDefaults.healthTimeoutMs }),
      readiness: () => store.health({ timeoutMs: config.storage.readyTimeoutMs || storageDefaults.readyTimeoutMs }),
    })),
    own: workers === undefined ? [] : [workers.healthCheck],
    encryption: encryptionChecks,
    hooks: server.hooks,
    pendingHooks: () => server.pendingHooks,
    registration: () => parts.registration.checkCompletion(),
    loading: parts.loading,
    now: () => clock.now(),
    log,
    isStartGraceful: () => clock.now() <= graceUntil && config.serving.livezGraceMs > 0,
    shutdown: () => {
      if (server.isStopping) throw new Error('process is shutting down');
    },
  });
  const failure = (failed: readonly string[], details: string): void =>
    log.info('health check failed', { failed: failed.join(','), details });
  const slis = new MetricsRegistry();
  const fared = new HealthMetrics(slis);
  installHealth(mux, '/healthz', healthy, failure, fared.observer('healthz'));
  installHealth(mux, '/livez', live, failure, fared.observer('livez'));
  installHealth(mux, '/readyz', ready, failure, fared.observer('readyz'));
  installMetrics(mux, {
    metrics,
    ...(workers && { ofProcess: workers }),
    slis,
    startedAt: clock.now(),
    canReset: config.observability.profiling,
  });
  const address = ownAddress(config);
  const rules = clusterRules(config);
  installDiscovery(mux, {
    registry: discovery,
    codecs,
    addresses: () => ({ default: address.own(), rules }),
    peers: peers.proxy?.discovery,
    notFound,
    metrics,
  });
  openApi.install(mux);
  installVersion(mux, config.resources.version);
  installDebugging(mux, config.observability, context);
  if (config.observability.flags !== undefined && features.enabled('ComponentFlagz'))
    installFlagPage(mux, codecs, component, config.observability.flags);
  const { major, minor, patch } = kubernetesVersion;
  const { emulation, reported } = config.resources.version;
  if (features.enabled('ComponentStatusz'))
    installStatusPage(mux, codecs, {
      component,
      startedAt: clock.now(),
      now: () => clock.now(),
      version: reported?.slice(1) ?? `${major}.${minor}.${patch}`,
      emulation: `${major}.${emulation}`,
    });
  installRootPaths(mux, discovery);
  return address;
}

function ownAddress({ serving }: ServerConfig): OwnAddress {
  let bound = { address: serving.address, port: serving.port };
  return {
    listening(address) {
      bound = address;
    },
    own: () => hostPort(serving.externalHostname || serving.advertiseAddress || bound.address, bound.port),
  };
}

/** Clients from within the cluster are sent to the kubernetes service. */
function clusterRules({ services }: ServerConfig): { clients: Cidr; address: string }[] {
  const clients = parseCidr(services.ranges[0] ?? '');
  return clients === undefined ? [] : [{ clients, address: hostPort(serviceAddress(services.ranges), 443) }];
}
