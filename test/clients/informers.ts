/**
 * `npm run test:informers [-- --objects 10000] [-- --only PATTERN]`: client-go informers of ConfigMaps and Pods, over JSON and protobuf,
 * with watch-list and without, on the embedded store and on etcd, account for every event while the server is stopped, killed and
 * compacted, and so does a watch that is not read for a while. See README.md for what is needed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbeddedStorage } from '../../src/storage/drivers/embedded/open.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { buildGoClient } from './go-client.ts';
import { playInformers } from './informer-play.ts';

const { values } = parseArgs({
  options: { objects: { type: 'string', default: '10000' }, only: { type: 'string', default: '' } },
});
/** half of them ConfigMaps, half Pods */
const objects = Number(values.objects) / 2;
/** History is also forgotten as the server does it by itself, more often than in production. */
const flags = ['--etcd-compaction-interval=5s'];
const limitSeconds = 600;

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-informers-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const executable = installOurs(join(root, 'package'));
const program = await buildGoClient(root);

async function forgetIn(storage: Storage): Promise<void> {
  await using open = storage;
  await open.compact(await open.currentRevision());
}

let failed = 0;
for (const store of ['embedded', 'etcd'] as const) {
  const plays = (['protobuf', 'json'] as const).flatMap((media) => [true, false].map((watchList) => ({ media, watchList })));
  for (const [index, { media, watchList }] of plays.entries()) {
    const name = `${store}, ${media}, ${watchList ? 'watch-list' : 'list and watch'}`;
    if (!new RegExp(values.only).test(name)) continue;
    const folder = join(root, `${store}-${index}`);
    await using etcd = store === 'etcd' ? await EtcdProcess.start() : undefined;
    const storage = etcd === undefined ? 'embedded' : { etcd: etcd.endpoint };
    await using server = await ApiServerProcess.start({ executable, folder, storage, flags });
    const forget = async (): Promise<void> => {
      if (etcd === undefined) await forgetIn(await openEmbeddedStorage({ directory: join(folder, 'data') }));
      else await forgetIn(await openEtcdStorage({ endpoints: [etcd.endpoint], compactionIntervalMs: 0 }));
    };
    const started = performance.now();
    const load = loadavg()[0]?.toFixed(1);
    try {
      const lines = await playInformers({
        program,
        server,
        namespace: 'ledger',
        watchList,
        media,
        objects,
        strict: true,
        forget,
        limitSeconds,
      });
      console.log(`✔ ${name}: ${((performance.now() - started) / 1000).toFixed(0)} s, load ${load}`);
      for (const line of lines) console.log(`    ${line}`);
    } catch (error) {
      failed++;
      console.log(`✖ ${name}: ${(error as Error).message}`);
    }
  }
}
process.exitCode = failed > 0 ? 1 : 0;
