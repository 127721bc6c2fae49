import { loadEncryption } from '../storage/encryption/encryption.ts';
import type { EtcdStorage } from '../storage/drivers/etcd/etcd-storage.ts';
import { openEtcdStorage } from '../storage/drivers/etcd/etcd-storage.ts';
import { snapshotOfDirectory, storeFolder } from '../storage/drivers/embedded/maintenance.ts';
import { moveFromEtcd } from '../controlplane/migration/from-etcd.ts';
import { StoredValues } from '../controlplane/migration/stored-values.ts';
import type { Moved } from '../controlplane/migration/to-etcd.ts';
import { moveToEtcd } from '../controlplane/migration/to-etcd.ts';
import type { StorageMediaType } from '../server/object/storage-format.ts';
import type { FlagValues } from './flags/flag.ts';
import { bool, string } from './flags/flag-kinds.ts';
import { etcdFlags } from './flags/etcd.ts';
import { storagePrefix } from './flags/storage-prefix.ts';
import { storeCommand } from './store-command.ts';

const all = etcdFlags.flags;
const flags = {
  from: string('', 'folder of a store that no server has open, or addresses of etcd with commas between'),
  to: string('', 'addresses of an etcd that holds nothing below --etcd-prefix, or a new folder'),
  'etcd-cafile': all['etcd-cafile'],
  'etcd-certfile': all['etcd-certfile'],
  'etcd-keyfile': all['etcd-keyfile'],
  'etcd-prefix': all['etcd-prefix'],
  'storage-media-type': all['storage-media-type'],
  'skip-revisions': bool(
    false,
    'to etcd: resourceVersions may become smaller than they were, in the same order; clients that are running must be started anew',
  ),
  'encryption-provider-config': string(
    '',
    'file that says how resources are encrypted at rest: values are read, and written anew, as it says',
  ),
};

const mediaTypes: readonly StorageMediaType[] = ['application/json', 'application/vnd.kubernetes.protobuf'];

export const migrateCommand = storeCommand({
  intro: 'Moves everything between a data directory and etcd, either way. Run again after an interruption, it goes on from there.',
  usage: 'migrate --from DIR|URL,... --to URL,...|DIR',
  names: 0,
  flags,
  interrupted: (line) => `to go on from there, run it again: ${line}`,
  async run({ flags: given, io, progress, signal }) {
    const { from, to } = given;
    if (from === '' || to === '') throw new Error('migrate needs --from and --to: a folder, or addresses of etcd (http://...)');
    if (isEtcd(from) === isEtcd(to))
      throw new Error('one of --from and --to must be a folder, and the other addresses of etcd (http://...)');
    const mediaType = mediaTypes.find((known) => known === given['storage-media-type']);
    if (mediaType === undefined) throw new Error(`--storage-media-type must be one of ${mediaTypes.join(', ')}`);
    const prefix = storagePrefix(given['etcd-prefix']);
    const file = given['encryption-provider-config'];
    using encryption = file === '' ? undefined : await loadEncryption({ file, reload: false });
    const values = new StoredValues({ prefix, mediaType, encryption: encryption && ((resource) => encryption.transformerFor(resource)) });
    const common = { values, prefix, signal, progress: progress.show, now: Date.now };
    const state = isEtcd(from) ? undefined : await snapshotOfDirectory(from, signal);
    if (state !== undefined && state.damaged.length > 0)
      throw new Error(`${from} holds damaged values, that of ${state.damaged[0]} among them`);
    await using etcd = await openEtcd(state === undefined ? from : to, given);
    const moved =
      state === undefined
        ? await moveFromEtcd({ ...common, from: etcd, to: await storeFolder(to) })
        : await moveToEtcd({ ...common, from: state, to: etcd, skipsRevisions: given['skip-revisions'] });
    progress.end();
    io.out(report(to, moved));
  },
});

function report(to: string, { keys, sameRevision, revision, unknown }: Moved): string {
  const kept =
    sameRevision === keys
      ? 'all with the resourceVersion that they had'
      : `${sameRevision} with the resourceVersion that they had, in the same order`;
  const more =
    unknown.length === 0
      ? ''
      : `${unknown.length} keys are of no resource that is known here, and were moved as they are: ${unknown.slice(0, 3).join(', ')}\n`;
  return `${to}: ${keys} keys at revision ${revision}, ${kept}; every key, value and the order of revisions compared\n${more}`;
}

function isEtcd(place: string): boolean {
  return place.includes('://');
}

function openEtcd(addresses: string, given: FlagValues<typeof flags>): Promise<EtcdStorage> {
  const [caFile, certFile, keyFile] = [given['etcd-cafile'], given['etcd-certfile'], given['etcd-keyfile']];
  const tls = { ...(caFile !== '' && { caFile }), ...(certFile !== '' && { certFile }), ...(keyFile !== '' && { keyFile }) };
  return openEtcdStorage({
    endpoints: addresses.split(',').map((address) => address.trim()),
    ...(Object.keys(tls).length > 0 && { tls }),
    compactionIntervalMs: 0,
    initializationTimeoutMs: 10_000,
  });
}
