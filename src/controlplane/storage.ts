import type { ClientTls } from '../base/grpc/endpoint.ts';
import type { GroupResource } from '../machinery/errors.ts';
import type { StorageMediaType } from '../server/object/storage-format.ts';
import type { StorageObserver } from '../storage/drivers/embedded/embedded-storage.ts';
import type { EtcdStorage } from '../storage/drivers/etcd/etcd-storage.ts';
import { storedMetrics } from '../storage/storage-metrics.ts';
import { embeddedStoreMetrics } from './embedded-metrics.ts';
import type { EmbeddedStorageOptions } from '../storage/drivers/embedded/open.ts';
import type { Transformer } from '../storage/encryption/ciphers/transformer.ts';
import type { Encryption, HealthCheck } from '../storage/encryption/encryption.ts';
import { compactPeriodically } from '../storage/periodic-compaction.ts';
import type { Storage } from '../storage/storage.ts';
import { ReloadObserver } from '../base/reload-metrics.ts';
import { serverIdOf } from './bootstrap/identity-lease.ts';
import type { ServerContext } from './server-context.ts';

/** An etcd cluster, which others may use beside this server. */
export interface EtcdConfig {
  readonly endpoints: readonly string[];
  readonly tls?: ClientTls;
  readonly leaseReuseDurationSeconds?: number;
}

/** A built-in resource that is kept in another etcd cluster. */
export interface EtcdOverride {
  readonly of: GroupResource;
  readonly endpoints: readonly string[];
}

/** Where state is kept: nowhere beyond the process, in a folder, in etcd, or in a store of the caller, who closes it. */
export type StorageBackend = 'memory' | Omit<EmbeddedStorageOptions, 'clock' | 'observer'> | { readonly etcd: EtcdConfig } | Storage;

export interface StorageConfig {
  readonly backend: StorageBackend;
  /** with etcd: resources that are kept in other clusters, with the same certificates */
  readonly overrides: readonly EtcdOverride[];
  /** start of every key */
  readonly prefix: string;
  /** history older than one to two of these is forgotten; 0: never */
  readonly compactionIntervalMs: number;
  /** how values are written to a store that others read too (etcd); every other store has our own JSON */
  readonly mediaType: StorageMediaType;
  /** lists of any age are served as upstream's watch cache serves them: whole, whatever their limit */
  readonly watchCache: boolean;
  /** resources of which that does not hold */
  readonly uncached: readonly GroupResource[];
  /** how long /healthz and /livez wait for a store that is elsewhere; 0: as by default */
  readonly healthTimeoutMs: number;
  /** the same of /readyz */
  readonly readyTimeoutMs: number;
  /** how long the server is not ready because its store is not */
  readonly initializationTimeoutMs: number;
  /** time between counts of stored objects; 0: they are not counted */
  readonly countIntervalMs: number;
  /** time between looks at the size of the store; 0: it is not looked at */
  readonly sizeIntervalMs: number;
  /** an EncryptionConfiguration, and whether it is read again when it changes */
  readonly encryption: { readonly file: string; readonly reload: boolean } | undefined;
}

export const storageDefaults: StorageConfig = Object.freeze({
  backend: 'memory',
  overrides: [],
  prefix: '/registry',
  compactionIntervalMs: 5 * 60_000,
  mediaType: 'application/vnd.kubernetes.protobuf',
  watchCache: true,
  uncached: [],
  healthTimeoutMs: 2000,
  readyTimeoutMs: 2000,
  initializationTimeoutMs: 60_000,
  countIntervalMs: 60_000,
  sizeIntervalMs: 30_000,
  encryption: undefined,
});

/** The store, and how resources are written to it. */
export interface OpenStorage {
  readonly storage: Storage;
  /** the store of a built-in resource; undefined: `storage` is that of all */
  readonly storageOf?: (resource: GroupResource) => Storage;
  /** every store beside `storage` */
  readonly others: readonly Storage[];
  readonly storagePrefix: string;
  readonly storageMediaType?: StorageMediaType;
  readonly encryption?: (resource: GroupResource) => Transformer;
  /** how often keys were replaced; undefined: they stay as they are */
  readonly encryptionEra?: () => number;
  /** of KMS plugins */
  readonly encryptionChecks: readonly HealthCheck[];
  /** begins to read the encryption configuration again when it changes; undefined: it stays as it is */
  readonly followEncryption?: () => void;
  /** bytes of the store's files, by a name for each store; undefined: it has none */
  readonly databaseBytes?: () => Promise<ReadonlyMap<string, number>>;
}

/** Drivers are loaded only when used: a start should not pay for the others. */
export async function openStorage(config: StorageConfig, context: ServerContext): Promise<OpenStorage> {
  const { backend, prefix, mediaType } = config;
  const encryption = await openEncryption(config, context);
  const common = {
    storagePrefix: prefix,
    ...(encryption !== undefined && { encryption: (resource: GroupResource) => encryption.transformerFor(resource) }),
    encryptionChecks: encryption?.healthChecks ?? [],
    ...(encryption !== undefined &&
      config.encryption?.reload === true && {
        followEncryption: () => encryption.follow(),
        encryptionEra: () => encryption.era,
      }),
  };
  if (isEtcd(backend)) {
    const storage = await openEtcd(backend.etcd, config, context);
    const { clusters, ...overrides } = await openOverrides(storage, backend.etcd, config, context);
    const all = [{ storage, endpoints: backend.etcd.endpoints }, ...clusters];
    const databaseBytes = (): Promise<ReadonlyMap<string, number>> => etcdBytes(all);
    return { ...common, storage, ...overrides, storageMediaType: mediaType, databaseBytes };
  }
  if (config.overrides.length > 0) throw new Error('--etcd-servers-overrides needs --etcd-servers: other stores keep all resources');
  const { storage, databaseBytes } = await openLocal(backend, context);
  const failed = (error: unknown): void => context.log.error('compaction of the store failed', { err: error });
  context.owned.use(compactPeriodically(storage, context.clock, config.compactionIntervalMs, failed));
  return { ...common, storage, others: [], ...(databaseBytes && { databaseBytes }) };
}

interface EtcdCluster {
  readonly storage: EtcdStorage;
  readonly endpoints: readonly string[];
}

/** One number for each cluster, from any of its members that responds; a cluster that is down must not hide the others. */
async function etcdBytes(clusters: readonly EtcdCluster[]): Promise<ReadonlyMap<string, number>> {
  const asked = clusters.map(async ({ storage, endpoints }, index) => {
    const { databaseSize } = await Promise.any(endpoints.map((endpoint) => storage.status(endpoint)));
    return [`etcd-${index}`, databaseSize] as const;
  });
  const answers = await Promise.allSettled(asked);
  return new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])));
}

/** Whether other servers may be at work on the same store. */
/** Refuses what only a program without types can ask for. */
export function checkBackend(backend: StorageBackend): void {
  if (backend === 'memory') return;
  if (typeof backend === 'object') {
    if ('transact' in backend) return;
    if ('directory' in backend ? typeof backend.directory === 'string' : Array.isArray(backend.etcd?.endpoints)) return;
  }
  const known = "'memory', { directory: '...' }, { etcd: { endpoints: ['http://...'] } } or a store of your own";
  throw new TypeError(`storage is ${known}, not ${JSON.stringify(backend)}`);
}

export function isEtcd(backend: StorageBackend): backend is { readonly etcd: EtcdConfig } {
  return typeof backend === 'object' && 'etcd' in backend;
}

type LocalStorage = Pick<OpenStorage, 'storage' | 'databaseBytes'>;

async function openLocal(backend: Exclude<StorageBackend, { readonly etcd: EtcdConfig }>, context: ServerContext): Promise<LocalStorage> {
  const { clock, log, metrics, owned } = context;
  if (backend === 'memory') {
    const { createMemoryStorage } = await import('../storage/drivers/memory/memory-storage.ts');
    return { storage: owned.use(createMemoryStorage({ clock })) };
  }
  if (!('directory' in backend)) return { storage: backend };
  const { directory } = backend;
  const { openEmbeddedStorage } = await import('../storage/drivers/embedded/open.ts');
  const counted = embeddedStoreMetrics(metrics);
  const observer: StorageObserver = {
    ...counted.observer,
    failed: (error) => {
      counted.observer.failed?.(error);
      log.error('the store refuses writes', { directory, err: error });
    },
    recovered: () => {
      counted.observer.recovered?.();
      log.info('the store takes writes again', { directory });
    },
    compactionFailed: (error: unknown) => log.error('compaction of the store failed', { directory, err: error }),
    damagedValue: (key: string, revision: number) => log.error('a stored value is damaged', { key, revision }),
  };
  const storage = owned.use(await openEmbeddedStorage({ ...backend, clock, observer }));
  counted.follow(storage);
  return { storage, databaseBytes: () => Promise.resolve(new Map([['embedded-0', storage.statistics.diskBytes]])) };
}

async function openEtcd(
  etcd: EtcdConfig,
  { compactionIntervalMs }: StorageConfig,
  { log, metrics, egress, owned }: ServerContext,
): Promise<EtcdStorage> {
  const { openEtcdStorage } = await import('../storage/drivers/etcd/etcd-storage.ts');
  const storage = await openEtcdStorage({
    ...etcd,
    compactionIntervalMs,
    dial: egress.etcd,
    onConnectivity: (endpoint, up, reason) => {
      if (up) log.info('connected to etcd', { endpoint });
      else log.warn('no connection to etcd', { endpoint, err: reason });
    },
    onLeaseRetired: (objects) => storedMetrics(metrics).leaseObjects.with().observe(objects),
    onCompactionError: (error) => log.error('compaction of etcd failed', { err: error }),
  });
  return owned.use(storage);
}

/** Resources that one transaction writes together: a service, and its addresses. */
const written: readonly [GroupResource, GroupResource] = [
  { group: '', resource: 'services' },
  { group: 'networking.k8s.io', resource: 'ipaddresses' },
];

/** Overrides that name the same servers, in whatever order, share one store. Of several for one resource the last counts, as in upstream. */
async function openOverrides(
  main: Storage,
  etcd: EtcdConfig,
  config: StorageConfig,
  context: ServerContext,
): Promise<Pick<OpenStorage, 'storageOf' | 'others'> & { readonly clusters: readonly EtcdCluster[] }> {
  if (config.overrides.length === 0) return { others: [], clusters: [] };
  const stores = new Map<string, EtcdStorage>();
  const clusters: EtcdCluster[] = [];
  const byResource = new Map<string, Storage>();
  for (const { of, endpoints } of config.overrides) {
    const servers = endpoints.toSorted().join(';');
    const store = stores.get(servers) ?? (await openEtcd({ ...etcd, endpoints }, config, context));
    stores.set(servers, store);
    byResource.set(`${of.group}/${of.resource}`, store);
    clusters.push({ storage: store, endpoints });
  }
  const storageOf = ({ group, resource }: GroupResource): Storage => byResource.get(`${group}/${resource}`) ?? main;
  if (storageOf(written[0]) !== storageOf(written[1])) {
    const why = 'each service is written in one transaction with its IPAddresses';
    throw new Error(`--etcd-servers-overrides: /services and networking.k8s.io/ipaddresses need the same servers, since ${why}`);
  }
  return { storageOf, others: [...stores.values()], clusters };
}

async function openEncryption({ encryption }: StorageConfig, context: ServerContext): Promise<Encryption | undefined> {
  if (encryption === undefined) return undefined;
  const { file, reload } = encryption;
  const { loadEncryption } = await import('../storage/encryption/encryption.ts');
  const { EncryptionMetrics } = await import('../storage/encryption/metrics/encryption-metrics.ts');
  const { clock, log, metrics, owned, features } = context;
  const serverId = serverIdOf(context);
  const counted = new EncryptionMetrics(metrics, serverId);
  const observer = new ReloadObserver(metrics, { of: 'encryption', serverId });
  const onReload = (error: Error | undefined): void => {
    if (error === undefined) observer.reloaded(loaded.contentHash);
    else observer.failed();
    if (error === undefined) log.info('encryption configuration reloaded', { file });
    else log.error('encryption configuration could not be reloaded; the one before stays', { file, err: error });
  };
  const allowsKmsV1 = features.enabled('KMSv1');
  const loaded: Encryption = owned.use(await loadEncryption({ file, reload, clock, onReload, metrics: counted, allowsKmsV1 }));
  observer.inForce(loaded.contentHash);
  if (loaded.usesKmsV1) log.info('KMS v1 is deprecated and gets security updates only; use KMS v2', { file });
  return loaded;
}
