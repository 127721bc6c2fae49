/**
 * What the store costs, beside etcd on the same disk in the same run: `npm run bench:storage [-- writes reads memory million]`.
 *
 * Writes are durable on both sides (etcd syncs its log, too) and go through the same Storage interface; etcd and the embedded
 * driver take turns, so that what else the disk does meets both. Memory is measured in processes of their own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStorage } from '../../src/storage/drivers/embedded/open.ts';
import { restoreBackup, writeBackup } from '../../src/storage/drivers/embedded/restore-backup.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import type { Operation, Storage } from '../../src/storage/storage.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';

const rounds = 5;
const roundMs = 2000;

/** The name of the store that a figure is of, and the store. */
type Contenders = readonly (readonly [string, Storage])[];

const sections: Record<string, (root: string) => Promise<void>> = {
  writes: (root) => withContenders(root, writes),
  reads: (root) => withContenders(root, reads),
  memory,
  million,
};

/** for processes that this one starts */
const innerSections: Record<string, (root: string) => Promise<void>> = { ...sections, opening };

const asked = process.argv.slice(2);
const [section] = asked;
if (process.env['BENCH_CHILD'] !== undefined && section !== undefined) {
  const root = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-'));
  try {
    await innerSections[section]!(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
} else {
  for (const name of asked.length > 0 ? asked : Object.keys(sections)) {
    console.log(`\n${name}`);
    const options = { env: { ...process.env, BENCH_CHILD: '1' }, stdio: 'inherit' } as const;
    const { status } = spawnSync(process.execPath, ['--expose-gc', import.meta.filename, name], options);
    if (status !== 0) process.exitCode = 1;
  }
}

async function withContenders(root: string, run: (contenders: Contenders) => Promise<void>): Promise<void> {
  await using etcd = await EtcdProcess.start({ fsync: true, dataFolder: join(root, 'etcd') });
  await using theirs = await openEtcdStorage({ endpoints: [etcd.endpoint], compactionIntervalMs: 0 });
  await using ours = await openEmbeddedStorage({ directory: join(root, 'embedded') });
  await run([
    ['embedded', ours],
    ['etcd', theirs],
  ]);
}

async function writes(contenders: Contenders): Promise<void> {
  const value = Buffer.alloc(1024, 'x');
  for (const writers of [1, 16, 64]) {
    const rates = new Map<string, number[]>(contenders.map(([name]) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [name, storage] of contenders) rates.get(name)!.push(await writeRate(storage, writers, value, `${writers}/${round}`));
    }
    const [ours, theirs] = [...rates.values()].map(median);
    report(
      `durable writes of 1 KB, ${writers} writers`,
      `${whole(ours!)}/s   etcd ${whole(theirs!)}/s   ratio ${(ours! / theirs!).toFixed(1)}`,
    );
  }
}

async function writeRate(storage: Storage, writers: number, value: Buffer, run: string): Promise<number> {
  const start = performance.now();
  let written = 0;
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; performance.now() - start < roundMs; i++, written++) {
      await storage.transact([{ type: 'put', key: `/registry/writes/${run}/${writer}/${i}`, value, expect: 0 }]);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return (written / (performance.now() - start)) * 1000;
}

async function reads(contenders: Contenders): Promise<void> {
  const value = Buffer.alloc(4096, 'x');
  for (const [name, storage] of contenders) {
    await fill(
      storage,
      10_000,
      (i) => `/registry/reads/${String(i).padStart(6, '0')}`,
      () => value,
    );
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await timed(async () => void (await storage.list('/registry/reads/'))));
    report(`range of 10,000 × 4 KB, ${name}`, `${median(times).toFixed(1)} ms`);
  }
  for (const [name, storage] of contenders) {
    const abort = new AbortController();
    let delivered: () => void = () => undefined;
    let count = 0;
    const watch = async (): Promise<void> => {
      for await (const batch of storage.watch('/registry/fan/', { signal: abort.signal })) {
        count += batch.length;
        if (count === 1000) delivered();
      }
    };
    const watching = Promise.all(Array.from({ length: 1000 }, watch));
    // Gives the other side time to set the watches up.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      count = 0;
      const all = new Promise<void>((resolve) => (delivered = resolve));
      await storage.transact([{ type: 'put', key: '/registry/fan/a', value: Buffer.from(String(round)) }]);
      times.push(await timed(() => all));
    }
    abort.abort();
    await watching;
    report(`one event to 1,000 watchers after its acknowledgement, ${name}`, `${median(times).toFixed(1)} ms`);
  }
}

async function memory(root: string): Promise<void> {
  const objects = 100_000;
  const bytes = objects * (2048 + smallKey(0).length);
  const show = (used: number): string => `${megabytes(used)} = ${(used / bytes).toFixed(2)} × the bytes stored`;
  const before = memoryInUse();
  {
    await using storage = await openEmbeddedStorage({ directory: join(root, 'store') });
    await fill(storage, objects, smallKey, (i) => Buffer.from(`${i} `.padEnd(2048, 'x')));
    report('memory of 100,000 × 2 KB, just written', show(memoryInUse() - before));
    report('  on disk', megabytes(storage.statistics.diskBytes));
    await writeBackup(join(root, 'backup'), storage.snapshot(), { prefix: '/registry', createdAt: new Date().toISOString() });
  }
  await restoreBackup({ file: join(root, 'backup'), directory: join(root, 'restored') });
  for (const [what, name] of [
    ['opened from the log', 'store'],
    ['opened from a checkpoint', 'restored'],
  ] as const) {
    report(`memory of 100,000 × 2 KB, ${what}`, show((await openInChild(join(root, name))).memory));
  }
}

async function million(root: string): Promise<void> {
  const listTime = async (storage: Storage): Promise<string> => {
    const times: number[] = [];
    for (let i = 0; i < 500; i++) times.push(await timed(async () => void (await storage.list(`/registry/configmaps/ns-0000${i % 10}/`))));
    return `${(median(times) * 1000).toFixed(0)} µs`;
  };
  const value = (i: number): Buffer => Buffer.from(`${i} `.padEnd(300, 'x'));
  {
    await using storage = await openEmbeddedStorage({ directory: join(root, 'store') });
    await fill(storage, 1000, smallKey, value);
    report('list of a namespace of 100 objects, among 1,000', await listTime(storage));
    const start = performance.now();
    await fill(storage, 1_000_000, smallKey, value, 1000);
    report('writing 1,000,000 objects of 300 bytes, 100 per transaction', seconds(performance.now() - start));
    report('list of a namespace of 100 objects, among 1,000,000', await listTime(storage));
    await writeBackup(join(root, 'backup'), storage.snapshot(), { prefix: '/registry', createdAt: new Date().toISOString() });
  }
  await restoreBackup({ file: join(root, 'backup'), directory: join(root, 'restored') });
  for (const [what, name] of [
    ['a checkpoint', 'restored'],
    ['log only', 'store'],
  ] as const) {
    const { wall, cpu, memory: used, resident } = await openInChild(join(root, name));
    report(`start with 1,000,000 objects from ${what}`, `${seconds(wall)}, ${seconds(cpu)} of processor time`);
    report('  memory', `${megabytes(used)}, resident ${megabytes(resident)}`);
  }
}

interface Opening {
  readonly wall: number;
  readonly cpu: number;
  readonly memory: number;
  readonly resident: number;
}

/** Opens a store in a process that does nothing else. */
async function openInChild(directory: string): Promise<Opening> {
  const options = { env: { ...process.env, BENCH_CHILD: '1', BENCH_DIRECTORY: directory }, encoding: 'utf8' } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', import.meta.filename, 'opening'], options);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Opening;
}

async function opening(): Promise<void> {
  const before = memoryInUse();
  const start = performance.now();
  const cpuBefore = process.cpuUsage();
  await using _storage = await openEmbeddedStorage({ directory: process.env['BENCH_DIRECTORY']! });
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  const result: Opening = { wall, cpu: (user + system) / 1000, memory: memoryInUse() - before, resident: process.memoryUsage().rss };
  console.log(JSON.stringify(result));
}

function smallKey(i: number): string {
  return `/registry/configmaps/ns-${String(Math.floor(i / 100)).padStart(5, '0')}/object-${i % 100}`;
}

/** Writes keys from `start` to `count`, 100 per transaction, 32 transactions at a time. */
async function fill(storage: Storage, count: number, key: (i: number) => string, value: (i: number) => Buffer, start = 0): Promise<void> {
  let next = start;
  const write = async (): Promise<void> => {
    while (next < count) {
      const operations: Operation[] = [];
      for (; next < count && operations.length < 100; next++) operations.push({ type: 'put', key: key(next), value: value(next) });
      await storage.transact(operations);
    }
  };
  await Promise.all(Array.from({ length: 32 }, write));
}

/** Heap and buffers, after everything that is no longer used has gone. */
function memoryInUse(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function timed(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function report(what: string, figure: string): void {
  console.log(`  ${what.padEnd(66)} ${figure}`);
}
