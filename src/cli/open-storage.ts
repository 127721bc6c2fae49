import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Encryption } from '../storage/encryption/encryption.ts';
import { compactPeriodically } from '../storage/periodic-compaction.ts';
import type { Storage } from '../storage/storage.ts';
import type { CompletedOptions } from './complete-options.ts';

/**
 * The store that the flags ask for, closed with `owned`. Drivers are loaded only when used: a start should not pay for the others.
 */
export async function openStorage(options: CompletedOptions, clock: Clock, log: Logger, owned: AsyncDisposableStack): Promise<Storage> {
  const { dataDirectory } = options;
  if (dataDirectory === undefined) return owned.use(await openEtcd(options, log));
  const storage = owned.use(await openEmbedded(dataDirectory, clock, log));
  const failed = (error: unknown): void => log.error('compaction of the store failed', { directory: dataDirectory, err: error });
  owned.use(compactPeriodically(storage, clock, options.flags['etcd-compaction-interval'], failed));
  return storage;
}

/** What --encryption-provider-config asks for, closed with `owned`; undefined without it. */
export async function openEncryption(
  { flags }: CompletedOptions,
  clock: Clock,
  log: Logger,
  owned: AsyncDisposableStack,
): Promise<Encryption | undefined> {
  const file = flags['encryption-provider-config'];
  if (file === '') return undefined;
  const { loadEncryption } = await import('../storage/encryption/encryption.ts');
  const encryption = await loadEncryption({
    file,
    reload: flags['encryption-provider-config-automatic-reload'],
    clock,
    onReload: (error) => {
      if (error === undefined) log.info('encryption configuration reloaded', { file });
      else log.error('encryption configuration could not be reloaded; the one before stays', { file, err: error });
    },
  });
  return owned.use(encryption);
}

async function openEmbedded(directory: string, clock: Clock, log: Logger): Promise<Storage> {
  const { openEmbeddedStorage } = await import('../storage/drivers/embedded/open.ts');
  return openEmbeddedStorage({
    directory,
    clock,
    observer: {
      failed: (error) => log.error('the store refuses writes', { directory, err: error }),
      recovered: () => log.info('the store takes writes again', { directory }),
      compactionFailed: (error) => log.error('compaction of the store failed', { directory, err: error }),
      damagedValue: (key, revision) => log.error('a stored value is damaged', { key, revision }),
    },
  });
}

async function openEtcd({ flags }: CompletedOptions, log: Logger): Promise<Storage> {
  const { openEtcdStorage } = await import('../storage/drivers/etcd/etcd-storage.ts');
  const [caFile, certFile, keyFile] = [flags['etcd-cafile'], flags['etcd-certfile'], flags['etcd-keyfile']];
  const tls = { ...(caFile !== '' && { caFile }), ...(certFile !== '' && { certFile }), ...(keyFile !== '' && { keyFile }) };
  return openEtcdStorage({
    endpoints: flags['etcd-servers'],
    ...(Object.keys(tls).length > 0 && { tls }),
    compactionIntervalMs: flags['etcd-compaction-interval'],
    leaseReuseDurationSeconds: flags['lease-reuse-duration-seconds'],
    onConnectivity: (endpoint, up, reason) => {
      if (up) log.info('connected to etcd', { endpoint });
      else log.warn('no connection to etcd', { endpoint, err: reason });
    },
    onCompactionError: (error) => log.error('compaction of etcd failed', { err: error }),
  });
}
