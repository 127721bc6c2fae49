import assert from 'node:assert/strict';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { startEncryption } from '../interop/encryption.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { attempt, command, executable } from './command.ts';
import { definition } from './sample-store.ts';

const core = '/api/v1/namespaces/default';
const flags = ['--disable-admission-plugins=ServiceAccount'];
const pod = { containers: [{ name: 'c', image: 'i' }] };
const objects: readonly (readonly [collection: string, object: object])[] = [
  [`${core}/configmaps`, { data: { a: 'b' } }],
  [`${core}/secrets`, { data: { password: 'c2VjcmV0' } }],
  [`${core}/pods`, { spec: pod }],
  [`${core}/services`, { spec: { type: 'NodePort', ports: [{ port: 80 }] } }],
  [`${core}/events`, { involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' }, reason: 'Tested', message: 'm', type: 'Normal' }],
  [
    '/apis/apps/v1/namespaces/default/deployments',
    { spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: pod } } },
  ],
  ['/apis/example.com/v1/namespaces/default/things', { apiVersion: 'example.com/v1', kind: 'Thing', spec: { size: 12345678901234 } }],
];
/** A cluster of upstream goes to a directory of ours and back, encrypted; clients find what they had, and old revisions are gone. */
export async function takeOver(root: string): Promise<string> {
  const reference = findReference('kube-apiserver');
  await using encryption = await startEncryption('aescbc', root);
  const file = encryption.flags[0]!.replace(/^--encryption-provider-config=/, '');
  const encrypted = [...flags, ...encryption.flags];
  await using etcd = await EtcdProcess.start();
  const known = new Map<string, string>();
  const folder = join(root, 'take-over');
  let files;
  let listed = 0;
  {
    await using upstream = await ApiServerProcess.start({
      executable: reference,
      folder,
      storage: { etcd: etcd.endpoint },
      flags: encrypted,
    });
    files = upstream.files;
    await upstream.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    for (const [collection, object] of objects) {
      while ((await upstream.request('GET', collection)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
      for (let i = 0; i < 20; i++) await upstream.post(collection, { metadata: { name: `a-${i}` }, ...object });
      known.set(collection, await itemsOf(upstream, collection));
    }
    listed = await revisionOf(upstream);
    await upstream.stop();
  }
  const refused = await attempt('migrate', '--from', etcd.endpoint, '--to', join(root, 'refused'));
  assert.deepEqual([refused.code, refused.err.split('\n').length], [1, 2], refused.err);
  assert.match(refused.err, /^Error: the value of \S+ cannot be moved: .*--encryption-provider-config/);
  const ours = join(root, 'ours');
  const with_ = ['--encryption-provider-config', file];
  await command('migrate', '--from', etcd.endpoint, '--to', join(ours, 'data'), ...with_);
  {
    await using server = await ApiServerProcess.start({ executable, folder: ours, storage: 'embedded', flags: encrypted, files });
    await assertServes(server, known, listed);
    await server.post(`${core}/configmaps`, { metadata: { name: 'made-by-ours' } });
    known.set(`${core}/configmaps`, await itemsOf(server, `${core}/configmaps`));
    listed = await revisionOf(server);
    await server.stop();
  }
  await using second = await EtcdProcess.start();
  await command('migrate', '--from', join(ours, 'data'), '--to', second.endpoint, ...with_);
  await using storage = await openEtcdStorage({ endpoints: [second.endpoint], compactionIntervalMs: 0 });
  const secret = (await storage.get('/registry/secrets/default/a-1')).kv;
  assert.ok(secret?.value.toString('latin1').startsWith(encryption.valuePrefix), 'a secret is not encrypted in etcd');
  await mkdir(join(root, 'back'), { recursive: true });
  await cp(join(folder, 'pki'), join(root, 'back', 'pki'), { recursive: true });
  await using upstream = await ApiServerProcess.start({
    executable: reference,
    folder: join(root, 'back'),
    storage: { etcd: second.endpoint },
    flags: encrypted,
  });
  await assertServes(upstream, known, listed);
  const patched = await upstream.request('PATCH', `${core}/configmaps/a-1`, { data: { more: 'x' } });
  assert.equal(patched.status, 200, patched.body);
  return `${known.size} kinds of upstream served by ours, and again by upstream, resourceVersions and encryption kept`;
}

async function itemsOf(server: ApiServerProcess, collection: string): Promise<string> {
  const { items } = JSON.parse((await server.request('GET', collection)).body) as { items: object[] };
  return JSON.stringify(items, undefined, 1);
}

async function revisionOf(server: ApiServerProcess): Promise<number> {
  const { body } = await server.request('GET', `${core}/configmaps?limit=1`);
  return Number((JSON.parse(body) as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
}

async function assertServes(server: ApiServerProcess, known: ReadonlyMap<string, string>, listed: number): Promise<void> {
  for (const [collection, items] of known) {
    while ((await server.request('GET', collection)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await itemsOf(server, collection), items, collection);
  }
  assert.ok((await revisionOf(server)) >= listed, 'the revision went back');
  const old = await server.request('GET', `${core}/configmaps?watch=1&timeoutSeconds=2&resourceVersion=${listed - 100}`);
  assert.match(old.body, /"code":410/, 'a watch from an old revision');
}
