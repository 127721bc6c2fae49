import { parseEtcdOverrides } from './etcd-overrides.ts';
import { parseWatchCacheSizes } from './watch-cache-sizes.ts';
import { storagePrefix } from './storage-prefix.ts';
import type { GroupResource } from '../../machinery/errors.ts';
import type { GivenConfig } from '../../controlplane/config.ts';
import type { EtcdOverride } from '../../controlplane/storage.ts';
import type { StorageMediaType } from '../../server/object/storage-format.ts';
import type { FlagValues } from './flag.ts';
import { deprecated, flagGroup } from './flag.ts';
import { bool, duration, int, string, strings } from './flag-kinds.ts';

export const etcdFlags = flagGroup('Etcd', {
  'default-watch-cache-size': deprecated(
    int(100, 'has no effect'),
    'Watch caches are sized automatically. This flag is no-op and it will be removed in a future version.',
  ),
  'delete-collection-workers': int(1, 'deletions at a time within one delete of a collection'),
  'enable-garbage-collector': bool(true, 'deletions leave work to a garbage collector; must agree with kube-controller-manager'),
  'encryption-provider-config': string('', 'file that says how resources are encrypted at rest'),
  'encryption-provider-config-automatic-reload': bool(false, 'read the encryption file again when it changes'),
  'etcd-cafile': string('', "authorities that etcd's certificate is checked against"),
  'etcd-certfile': string('', 'client certificate shown to etcd'),
  'etcd-compaction-interval': duration('5m', 'time between compactions of history; 0 for none'),
  'etcd-count-metric-poll-period': duration('1m', 'time between counts of stored objects; 0 for none'),
  'etcd-db-metric-poll-interval': duration('30s', 'time between looks at the size of the database; 0 for none'),
  'etcd-healthcheck-timeout': duration('2s', 'time that a health check waits for etcd'),
  'etcd-keyfile': string('', 'private key of --etcd-certfile'),
  'etcd-prefix': string('/registry', 'start of every key'),
  'etcd-readycheck-timeout': duration('2s', 'time that a readiness check waits for etcd'),
  'etcd-servers': strings('addresses of an etcd cluster, as scheme://host:port; without them the embedded store is used'),
  'etcd-servers-overrides': strings('other etcd servers for single built-in resources, as group/resource#server;server'),
  'lease-reuse-duration-seconds': int(60, 'seconds for which one lease serves further objects that expire'),
  'storage-backend': string('', 'etcd3, or empty'),
  'storage-media-type': string('application/vnd.kubernetes.protobuf', 'form of new values in etcd'),
  'watch-cache': bool(true, 'lists of any age are read whole, whatever their limit'),
  'watch-cache-sizes': strings(
    'sizes of watch caches, as resource[.group]#size; only 0 has a meaning: as --watch-cache=false for this resource',
  ),
});

export function etcdConfig(flags: FlagValues<typeof etcdFlags.flags>): GivenConfig {
  const [caFile, certFile, keyFile] = [flags['etcd-cafile'], flags['etcd-certfile'], flags['etcd-keyfile']];
  const tls = { ...(caFile !== '' && { caFile }), ...(certFile !== '' && { certFile }), ...(keyFile !== '' && { keyFile }) };
  const etcd = {
    endpoints: flags['etcd-servers'],
    leaseReuseDurationSeconds: flags['lease-reuse-duration-seconds'],
    ...(Object.keys(tls).length > 0 && { tls }),
  };
  const file = flags['encryption-provider-config'];
  return {
    storage: {
      backend: etcd.endpoints.length > 0 ? { etcd } : undefined,
      prefix: storagePrefix(flags['etcd-prefix']),
      overrides: overrides(flags['etcd-servers-overrides']),
      compactionIntervalMs: flags['etcd-compaction-interval'],
      mediaType: flags['storage-media-type'] as StorageMediaType,
      watchCache: flags['watch-cache'],
      uncached: uncached(flags['watch-cache-sizes']),
      healthTimeoutMs: flags['etcd-healthcheck-timeout'],
      readyTimeoutMs: flags['etcd-readycheck-timeout'],
      countIntervalMs: flags['etcd-count-metric-poll-period'],
      sizeIntervalMs: flags['etcd-db-metric-poll-interval'],
      encryption: file === '' ? undefined : { file, reload: flags['encryption-provider-config-automatic-reload'] },
    },
    resources: { garbageCollection: flags['enable-garbage-collector'], deleteCollectionWorkers: flags['delete-collection-workers'] },
  };
}

function uncached(texts: readonly string[]): GroupResource[] {
  const sizes = parseWatchCacheSizes(texts);
  if (typeof sizes === 'string') throw new Error(sizes);
  return sizes.filter(({ size }) => size === 0).map(({ of }) => of);
}

function overrides(texts: readonly string[]): EtcdOverride[] {
  const parsed = parseEtcdOverrides(texts);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}
