import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import type { PostStartHook } from '../server/api-server.ts';
import type { KnownPaths } from '../server/lifecycle/known-paths.ts';
import type { Storage } from '../storage/storage.ts';
import type { Parts } from './assemble.ts';
import { clusterAuthentication } from './authentication.ts';
import type { BootstrapHooks } from './bootstrap/bootstrap.ts';
import { bootstrapHooks } from './bootstrap/bootstrap.ts';
import { storageReadiness } from './bootstrap/storage-readiness.ts';
import type { ServerConfig } from './config.ts';
import { CoordinatedElection } from './coordinated-election/coordinated-election.ts';
import type { FlowControl } from './flow-control.ts';
import { followedPair } from './followed-pair.ts';
import { partHooks } from './post-start-hooks.ts';
import type { ServerContext } from './server-context.ts';
import { isLoopback, serviceAddress } from './service-address.ts';
import { storedMetricsHook } from './stored-metrics.ts';

interface HookOptions {
  readonly hasRbac: boolean;
  readonly flowControl: FlowControl;
  readonly listening: Promise<AddressInfo>;
  readonly ready: Promise<void>;
  readonly knownPaths: KnownPaths;
}

/**
 * Without these a copy of a server could not serve requests as the other one does. What the others see to is in order in the store: they go on
 * when the copy is in use.
 */
const neededInCopies: ReadonlySet<string> = new Set([
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-kube-aggregator-informers',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'apiservice-openapi-controller',
  'apiservice-openapiv3-controller',
  'aggregator-reload-proxy-client-cert',
  'start-encryption-provider-config-automatic-reload',
  'priority-and-fairness-config-consumer',
]);

/** What the server does once it listens and before it is ready, and when it is asked to stop. */
export function serverHooks(
  config: ServerConfig,
  context: ServerContext,
  { resources, admission, extensions, registration, aggregator, storage, leaseStorage, peers, storageVersions, workers }: Parts,
  { hasRbac, flowControl, listening, ready, knownPaths }: HookOptions,
): BootstrapHooks {
  const { clock, log, features, owned } = context;
  const { reader, writer, fieldManagers, served } = resources;
  const isFurther = config.thread.role === 'further';
  const { advertiseAddress } = config.serving;
  const address = advertiseAddress === undefined || isLoopback(advertiseAddress) ? undefined : advertiseAddress;
  const { ranges: serviceRanges, nodePorts, kubernetesNodePort, endpointReconciler, serverCount } = config.services;
  const bootstrap = bootstrapHooks({
    metrics: context.metrics,
    hostname: hostname(),
    identity: context.identity,
    serviceRanges,
    kubernetesAddress: serviceAddress(serviceRanges),
    nodePorts,
    kubernetesNodePort,
    endpointReconciler,
    serverCount,
    ready,
    storagePrefix: storage.storagePrefix,
    leaseStorage,
    peerLeases: peers.leases,
    served,
    reader,
    writer,
    clock,
    features,
    capabilities: config.resources,
    isCopy: config.origin !== undefined,
    fieldManagers,
    ...(flowControl.follow !== undefined && { flowControlChanged: flowControl.follow, writesStatus: !isFurther }),
    log,
    advertised: listening.then(({ port }) => ({ address, port })),
    peerAddress: listening.then(
      ({ port }) => config.serving.peerAddress ?? (advertiseAddress ? { host: advertiseAddress, port } : undefined),
    ),
    authentication: clusterAuthentication(config.authentication, context.texts),
  });
  const election =
    features.enabled('CoordinatedLeaderElection') && !isFurther
      ? new CoordinatedElection({ reader, writer, clock, log, timers: config.coordinatedLeadership })
      : undefined;
  owned.defer(async () => election?.stopped());
  const postStart: PostStartHook[] = [
    ...partHooks({
      reader,
      admission,
      extensions: extensions.server,
      registration,
      aggregator,
      knownPaths,
      proxyClient: config.aggregation.client && followedPair(config.aggregation.client, context.texts),
      followEncryption: storage.followEncryption,
      hasRbac,
      log,
    }),
    ...(features.enabled('WatchCacheInitializationPostStartHook')
      ? [storageReadiness(() => healthOfAll([storage.storage, ...storage.others]), config.storage.initializationTimeoutMs, context)]
      : []),
    ...(peers.proxy?.startHooks ?? []),
    ...flowControl.hooks,
    storedMetricsHook(
      {
        resources: () => [...resources.builtIn, ...resources.custom],
        countIntervalMs: config.storage.countIntervalMs,
        sizeIntervalMs: config.storage.sizeIntervalMs,
        databaseBytes: storage.databaseBytes,
      },
      context,
    ),
    ...[election, storageVersions, workers && { startHook: workers.startHook(listening) }].flatMap((part) => part?.startHook ?? []),
    // What one server of a cluster does, one thread does.
    ...bootstrap.postStart.filter(({ name }) => !isFurther || name === 'priority-and-fairness-config-consumer'),
  ];
  const inCopy = (hook: PostStartHook): PostStartHook => ({ ...hook, isLate: !neededInCopies.has(hook.name) });
  return {
    postStart: config.origin === undefined ? postStart : postStart.map(inCopy),
    preShutdown: isFurther ? [] : [...(workers === undefined ? [] : [workers.stopHook]), ...bootstrap.preShutdown],
  };
}

async function healthOfAll(stores: readonly Storage[]): Promise<void> {
  await Promise.all(stores.map((store) => store.health()));
}
