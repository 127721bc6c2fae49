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
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import type { Operation, Storage } from '../../src/storage/storage.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';

const ROUNDS = 5;
const ROUND_MS = 2000;

/** The name of the store that a figure is of, and the store. */
type Contenders = readonly (readonly [string, Storage])[];

const sections: Record<string, (root: string) => Promise<void>> = {
  writes: (root) => withContenders(root, writes),
  reads: (root) => withContenders(root, reads),
  memory,
  million,
};

const asked = process.argv.slice(2);
const [section] = asked;
if (process.env['BENCH_CHILD'] !== undefined && section !== undefined) {
  const root = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-'));
  try {
    await sections[section]!(root);
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
    for (let round = 0; round < ROUNDS; round++) {
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
    for (let i = 0; performance.now() - start < ROUND_MS; i++, written++) {
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
    for (let round = 0; round < ROUNDS; round++) times.push(await timed(async () => void (await storage.list('/registry/reads/'))));
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
      const { revision } = await storage.transact([{ type: 'put', key: '/registry/fan/a', value: Buffer.from(String(round)) }]);
      times.push(await timed(() => all));
      if (revision === 0) throw new Error('no revision');
    }
    abort.abort();
    await watching;
    report(`one event to 1,000 watchers after its acknowledgement, ${name}`, `${median(times).toFixed(1)} ms`);
  }
}

async function memory(root: string): Promise<void> {
  const objects = 100_000;
  const key = (i: number): string => `/registry/configmaps/ns-${i % 100}/object-${i}`;
  const stored = Array.from({ length: objects }, (_, i) => key(i).length + 2048).reduce((sum, n) => sum + n, 0);
  const ratio = (bytes: number): string => `${megabytes(bytes)} = ${(bytes / stored).toFixed(2)} × the bytes stored`;
  const before = used();
  {
    await using storage = await openEmbeddedStorage({ directory: root });
    await fill(storage, objects, key, (i) => Buffer.from(`${i} `.padEnd(2048, 'x')));
    report('memory of 100,000 × 2 KB, just written', ratio(used() - before));
    report('  on disk', megabytes(storage.statistics.diskBytes));
  }
  {
    await using storage = await openEmbeddedStorage({ directory: root });
    report('memory of 100,000 × 2 KB, opened from the log', ratio(used() - before));
    await storage.backup(join(root, 'copy'));
  }
  const { restoreBackup } = await import('../../src/storage/drivers/embedded/open.ts');
  await restoreBackup({ file: join(root, 'copy'), directory: join(root, 'restored') });
  await using storage = await openEmbeddedStorage({ directory: join(root, 'restored') });
  report('memory of 100,000 × 2 KB, opened from a checkpoint', ratio(used() - before));
  if ((await storage.count('')) !== objects) throw new Error('objects are missing');
}

async function million(root: string): Promise<void> {
  const objects = 1_000_000;
  const key = (i: number): string => `/registry/configmaps/ns-${String(Math.floor(i / 100)).padStart(5, '0')}/object-${i % 100}`;
  const listTime = async (storage: Storage): Promise<string> => {
    const times: number[] = [];
    for (let i = 0; i < 200; i++) {
      times.push(await timed(async () => void (await storage.list(`/registry/configmaps/ns-${String(i % 10).padStart(5, '0')}/`))));
    }
    return `${(median(times) * 1000).toFixed(0)} µs`;
  };
  const before = used();
  {
    await using storage = await openEmbeddedStorage({ directory: root });
    await fill(storage, 1000, key, (i) => Buffer.from(`${i} `.padEnd(300, 'x')));
    report('list of a namespace of 100 objects, among 1,000', await listTime(storage));
    const start = performance.now();
    await fill(storage, objects, key, (i) => Buffer.from(`${i} `.padEnd(300, 'x')), 1000);
    report('writing 1,000,000 objects of 300 bytes, 100 per transaction', `${((performance.now() - start) / 1000).toFixed(1)} s`);
    report('list of a namespace of 100 objects, among 1,000,000', await listTime(storage));
    report('memory', `${megabytes(used() - before)}, resident ${megabytes(process.memoryUsage().rss)}`);
  }
  const open = async (what: string): Promise<void> => {
    const start = performance.now();
    await using storage = await openEmbeddedStorage({ directory: root, checkpointAfterBytes: 1 });
    report(`start with 1,000,000 objects, ${what}`, `${((performance.now() - start) / 1000).toFixed(2)} s`);
    report('  memory', megabytes(used() - before));
    await storage.compact(await storage.currentRevision());
  };
  await open('all of them in the log');
  await open('all of them in a checkpoint');
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

function used(): number {
  globalThis.gc?.();
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

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function report(what: string, figure: string): void {
  console.log(`  ${what.padEnd(66)} ${figure}`);
}
