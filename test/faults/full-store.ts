/**
 * `npm run test:full-store`: servers whose store takes no writes: a file system that is full, one that becomes read-only, and an etcd that has used
 * up its quota. Reads go on, writes are refused with a Status, health says so where upstream's does, and everything acknowledged is there when
 * there is room again, without a restart. Mounts file systems in memory and on a loop device, for which it needs root; needs the programs of Kubernetes (see README.md).
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-full-'));
const configMaps = '/api/v1/namespaces/default/configmaps';
const filler = 'x'.repeat(60_000);
/** of writes, before the store must be full */
const mostWrites = 400;
const limitMs = 30_000;

interface Refusal {
  readonly status: number;
  readonly reason: string | undefined;
  readonly message: string;
}

/** Writes and reads of one server, and what it acknowledged. */
class Writer {
  readonly #server: ApiServerProcess;
  readonly acknowledged = new Set<string>();
  #next = 0;

  constructor(server: ApiServerProcess) {
    this.#server = server;
  }

  async write(): Promise<Refusal | undefined> {
    const name = `c-${this.#next++}`;
    const { status, body } = await this.#server.request('POST', configMaps, { metadata: { name }, data: { filler } });
    if (status === 201) {
      this.acknowledged.add(name);
      return undefined;
    }
    const { reason, message } = JSON.parse(body) as { reason?: string; message: string };
    return { status, reason, message };
  }

  async untilRefused(): Promise<Refusal> {
    for (let i = 0; i < mostWrites; i++) {
      const refusal = await this.write();
      if (refusal !== undefined) return refusal;
    }
    throw new Error(`${mostWrites} writes were taken`);
  }

  async untilTaken(): Promise<number> {
    const began = performance.now();
    for (let refusal = await this.write(); refusal !== undefined; refusal = await this.write()) {
      if (performance.now() - began > limitMs) throw new Error(`no write is taken although there is room: ${said(refusal)}`);
      await sleep(100);
    }
    return performance.now() - began;
  }

  /** Everything acknowledged, and nothing else. */
  async check(): Promise<void> {
    const { status, body } = await this.#server.request('GET', configMaps);
    assert.equal(status, 200, body);
    const { items } = JSON.parse(body) as { items: { metadata: { name: string } }[] };
    const found = new Set(items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('c-')));
    assert.deepEqual([...found].toSorted(), [...this.acknowledged].toSorted());
  }

  async health(): Promise<string> {
    const paths = ['/livez', '/readyz'];
    const answers = await Promise.all(paths.map(async (path) => `${path} ${(await this.#server.request('GET', path)).status}`));
    return answers.join(', ');
  }

  /** Watches begin and reads are served. */
  async readsGoOn(): Promise<void> {
    await this.check();
    const { status } = await this.#server.request('GET', `${configMaps}?watch=true&timeoutSeconds=1&resourceVersion=0`);
    assert.equal(status, 200);
  }
}

const said = ({ status, reason, message }: Refusal): string =>
  `${status} ${reason ?? 'no reason'}: ${message.replace(/\/\S+wheelhouse-full-\S*?(?=[:\s])/, 'FOLDER')}`;

async function onSmallDisk(executable: string): Promise<void> {
  const folder = join(root, 'small');
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'wheelhouse', data]);
  try {
    await using server = await ApiServerProcess.start({ executable, folder, storage: 'embedded' });
    const writer = new Writer(server);
    assert.equal(await writer.health(), '/livez 200, /readyz 200');
    const full = await writer.untilRefused();
    console.log(`  full: ${writer.acknowledged.size} acknowledged, then ${said(full)}`);
    assert.ok(full.status >= 500 && full.message !== '');
    await writer.readsGoOn();
    console.log(`  health: ${await writer.health()}`);
    execFileSync('mount', ['-o', 'remount,size=40m', data]);
    console.log(`  with room, a write is taken after ${(await writer.untilTaken()).toFixed(0)} ms; ${await writer.health()}`);
    await writer.check();

    await server.stop('SIGKILL');
    await server.start();
    await writer.check();
    console.log(`✔ a small disk: ${writer.acknowledged.size} writes acknowledged, all there after kill -9`);
  } finally {
    execFileSync('umount', [data]);
  }
}

/** A file system that finds itself damaged lets itself be read only, until it is mounted anew. */
async function onFailingDisk(executable: string): Promise<void> {
  const folder = join(root, 'failing');
  const [data, image] = [join(folder, 'data'), join(root, 'failing.image')];
  mkdirSync(data, { recursive: true });
  writeFileSync(image, '');
  truncateSync(image, 64 << 20);
  execFileSync('mkfs.ext4', ['-q', image]);
  const mount = (): void => void execFileSync('mount', ['-o', 'loop,errors=remount-ro', image, data]);
  const unmount = (): void => void execFileSync('umount', [data]);
  mount();
  try {
    await using server = await ApiServerProcess.start({ executable, folder, storage: 'embedded' });
    const writer = new Writer(server);
    for (let i = 0; i < 20; i++) assert.equal(await writer.write(), undefined);
    const device = basename(execFileSync('findmnt', ['-no', 'SOURCE', data], { encoding: 'utf8' }).trim());
    writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1');
    const refusal = await writer.untilRefused();
    console.log(`  read-only: ${writer.acknowledged.size} acknowledged, then ${said(refusal)}`);
    // Of the first it is not known how much of it got to the disk.
    assert.equal(refusal.status, 504);
    assert.equal((await writer.untilRefused()).status, 503);
    await writer.readsGoOn();
    console.log(`  health: ${await writer.health()}`);
    await server.stop('SIGKILL');
    unmount();
    mount();
    await server.start();
    await writer.check();
    assert.equal(await writer.write(), undefined);
    console.log(`✔ a disk that becomes read-only: ${writer.acknowledged.size} writes acknowledged, all there when it is mounted anew`);
  } finally {
    unmount();
  }
}

/** What etcd's own client does when its quota is used up. */
async function makeRoom(etcd: EtcdProcess): Promise<void> {
  const ctl = (...args: string[]): string =>
    execFileSync(findReference('etcdctl'), [`--endpoints=${etcd.endpoint}`, ...args], { encoding: 'utf8' });
  const [{ Status }] = JSON.parse(ctl('endpoint', 'status', '-w', 'json')) as [{ Status: { header: { revision: number } } }];
  ctl('compact', String(Status.header.revision));
  ctl('defrag');
  ctl('alarm', 'disarm');
}

async function onFullEtcd(name: string, executable: string): Promise<{ readonly refused: string; readonly health: string }> {
  await using etcd = await EtcdProcess.start({ flags: ['--quota-backend-bytes=16777216'] });
  const storage = { etcd: etcd.endpoint };
  await using server = await ApiServerProcess.start({ executable, folder: join(root, name), storage });
  const writer = new Writer(server);
  const refused = said(await writer.untilRefused());
  const health = await writer.health();
  console.log(`  ${name}: ${writer.acknowledged.size} acknowledged, then ${refused}; ${health}`);
  await writer.readsGoOn();
  const deleted = [...writer.acknowledged].slice(0, 100);
  await makeRoom(etcd);
  for (const one of deleted) {
    const { status, body } = await server.request('DELETE', `${configMaps}/${one}`);
    assert.equal(status, 200, body);
    writer.acknowledged.delete(one);
  }
  await makeRoom(etcd);
  console.log(`  ${name}: with room, a write is taken after ${(await writer.untilTaken()).toFixed(0)} ms; ${await writer.health()}`);
  await writer.check();
  return { refused, health };
}

try {
  const executable = installOurs(join(root, 'package'));
  await onSmallDisk(executable);
  await onFailingDisk(executable);
  const ours = await onFullEtcd('ours', executable);
  const upstream = await onFullEtcd('upstream', findReference('kube-apiserver'));
  assert.deepEqual(ours, upstream);
  console.log('✔ a full etcd: the same words and health as upstream');
} finally {
  rmSync(root, { recursive: true, force: true });
}
