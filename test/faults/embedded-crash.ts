/**
 * Kills a process in the middle of its writes, again and again on the same directory, and checks what the next one finds.
 *
 *     tools/with-node test/faults/embedded-crash.ts [--rounds 300] [--seed 1]
 *
 * Rounds take turns: a plain disk, a disk that loses what was not synced, a disk whose calls fail now and then. After some rounds
 * the unwritten end of the log is damaged as well. Every acknowledged write must be there, whole; no other write may be there in
 * part; no revision may come twice, go back or be missing from history.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { open, mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { EmbeddedStorage } from '../../src/storage/drivers/embedded/embedded-storage.ts';
import { openEmbeddedStorage } from '../../src/storage/drivers/embedded/open.ts';
import { readBatches } from '../../src/storage/drivers/embedded/segment.ts';
import type { Mode } from './crash-writer.ts';
import { keptCount, randomFrom, writers } from './crash-writer.ts';

interface Known {
  /** highest write that each writer tried, and that was acknowledged to it, with its revision */
  readonly tried: number[];
  readonly done: number[];
  readonly revisions: Map<string, number>;
  /** highest revision that was acknowledged */
  revision: number;
}

const modes: readonly Mode[] = ['plain', 'power', 'errors'];

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } } });
const rounds = Number(values.rounds);
const random = randomFrom(Number(values.seed));
const directory = await mkdtemp(join(tmpdir(), 'wheelhouse-crash-'));
const known: Known = { tried: Array(writers).fill(-1), done: Array(writers).fill(-1), revisions: new Map(), revision: 1 };
const acknowledged = new Set<number>();
const tally = { acknowledged: 0, killedBeforeOpen: 0, damagedEnds: 0, checkpoints: 0 };

for (let round = 0; round < rounds; round++) {
  const mode = modes[round % modes.length]!;
  await writeUntilKilled(mode);
  if (round % 4 === 3) await damageEnd();
  try {
    await verify();
  } catch (error) {
    console.error(`round ${round} (${mode}, seed ${values.seed}) failed; the directory is kept: ${directory}`);
    throw error;
  }
}
await rm(directory, { recursive: true });
console.log(`${rounds} rounds: nothing lost, nothing half-written, no revision twice.`, tally);

async function writeUntilKilled(mode: Mode): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'crash-writer.ts'), directory, String(Math.floor(random() * 1e9)), mode],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
  let output = '';
  const started = new Promise((resolve) => child.stdout.once('data', resolve));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise((resolve) => child.stdout.on('end', resolve));
  // Most are killed while they write, some while they open and recover.
  if (random() < 0.85) await Promise.race([started, exited]);
  await sleep(random() * 400);
  child.kill('SIGKILL');
  assert.equal(await exited, 'SIGKILL', 'the writer ended by itself');
  await ended;
  if (!output.startsWith('open')) tally.killedBeforeOpen++;
  for (const line of output.split('\n').slice(0, -1)) note(line.split(' '));
}

function note([what, first, second, third]: string[]): void {
  if (what === 'checkpoint') {
    tally.checkpoints++;
    return;
  }
  if (what === 'open') {
    assert.ok(Number(first) >= known.revision, `opened at revision ${first}, after ${known.revision}`);
    known.revision = Number(first);
    return;
  }
  const writer = Number(first);
  const i = Number(second);
  if (what === 'try') known.tried[writer] = Math.max(i, known.tried[writer]!);
  if (what !== 'done') return;
  const revision = Number(third);
  assert.ok(i > known.done[writer]!, `write ${i} of writer ${writer} was acknowledged twice`);
  assert.ok(revision > 1 && !acknowledged.has(revision), `revision ${revision} was given twice`);
  acknowledged.add(revision);
  known.done[writer] = i;
  known.revisions.set(`/kept/${writer}/${i}`, revision);
  known.revision = Math.max(known.revision, revision);
  tally.acknowledged++;
}

async function verify(): Promise<void> {
  await using storage = await openEmbeddedStorage({ directory });
  const revision = await storage.currentRevision();
  assert.ok(revision >= known.revision, `at revision ${revision}, but ${known.revision} was acknowledged`);
  known.revision = revision;
  for (let writer = 0; writer < writers; writer++) await verifyWriter(storage, writer);
  await verifyHistory(storage, revision);
}

async function verifyWriter(storage: EmbeddedStorage, writer: number): Promise<void> {
  const [a, b] = [(await storage.get(`/last/${writer}/a`)).kv, (await storage.get(`/last/${writer}/b`)).kv];
  assert.deepEqual(a?.value, b?.value, 'a transaction is there in part');
  assert.equal(a?.modRevision, b?.modRevision);
  const last = a === undefined ? -1 : Number.parseInt(a.value.toString());
  assert.ok(last >= known.done[writer]!, `writer ${writer}: write ${known.done[writer]} was acknowledged, the last there is ${last}`);
  assert.ok(last <= known.tried[writer]!, `writer ${writer}: write ${last} was never tried`);
  const kept = (await storage.list(`/kept/${writer}/`)).items;
  const expected = Array.from({ length: Math.min(keptCount, last + 1) }, (_, n) => `/kept/${writer}/${last - n}`);
  assert.deepEqual(kept.map(({ key }) => key).sort(), expected.sort());
  for (const { key, modRevision, version } of kept) {
    assert.equal(version, 1);
    const told = known.revisions.get(key);
    if (told !== undefined) assert.equal(modRevision, told, `${key} has another revision than was acknowledged`);
  }
  known.done[writer] = last;
}

/** Every revision since compaction is in history, in order, and leads to the present. */
async function verifyHistory(storage: EmbeddedStorage, revision: number): Promise<void> {
  const start = storage.statistics.compactRevision;
  const state = new Map((await storage.list('', { revision: start })).items.map((kv) => [kv.key, kv]));
  let last = start;
  const abort = new AbortController();
  if (start < revision) {
    for await (const batch of storage.watch('', { revision: start, signal: abort.signal })) {
      for (const item of batch) {
        if (item.type === 'progress') continue;
        const at = item.type === 'put' ? item.kv.modRevision : item.revision;
        assert.ok(at === last || at === last + 1, `history goes from revision ${last} to ${at}`);
        last = at;
        assert.deepEqual(item.previous, state.get(item.type === 'put' ? item.kv.key : item.key));
        if (item.type === 'put') state.set(item.kv.key, item.kv);
        else state.delete(item.key);
      }
      if (last === revision) break;
    }
  }
  const present = (await storage.list('')).items;
  assert.equal(present.length, state.size);
  for (const kv of present) assert.deepEqual(kv, state.get(kv.key));
}

/** What lies after the last whole batch was never acknowledged: cut it off, or fill it with noise. */
async function damageEnd(): Promise<void> {
  const name = (await readdir(directory))
    .filter((file) => /^log-\d+$/.test(file))
    .sort()
    .at(-1);
  if (name === undefined) return;
  const path = join(directory, name);
  const bytes = await readFile(path);
  let end = 32;
  for (const batch of readBatches(path, bytes)) end = batch.end;
  tally.damagedEnds++;
  if (random() < 0.5) {
    await truncate(path, Math.min(bytes.length, end + Math.floor(random() * 100)));
    return;
  }
  await using file = await open(path, 'r+');
  const noise = Buffer.from(Array.from({ length: 4096 }, () => Math.floor(random() * 256)));
  await file.write(noise, 0, noise.length, end + Math.floor(random() * 50));
}
