/** The process that embedded-crash.ts kills: 32 writers on one store, each telling what was acknowledged to them. */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/base/clock.ts';
import type { Files } from '../../src/storage/drivers/embedded/files.ts';
import { diskFiles } from '../../src/storage/drivers/embedded/files.ts';
import { openEmbeddedStorage } from '../../src/storage/drivers/embedded/open.ts';
import type { Operation } from '../../src/storage/storage.ts';
import { StorageUnavailableError } from '../../src/storage/storage.ts';
import type { Fault } from './faulty-files.ts';
import { faultyFiles, forgetfulFiles } from './faulty-files.ts';

export const writers = 32;
/** keys of its last writes that a writer keeps */
export const keptCount = 10;
export type Mode = 'plain' | 'power' | 'errors';

/** A small generator of numbers in [0, 1) that a seed repeats. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Write number `i` of a writer: all of it must become visible, or nothing. */
export function operationsOf(writer: number, i: number, filler: string): Operation[] {
  const value = Buffer.from(`${i} ${filler}`);
  return [
    { type: 'put', key: `/last/${writer}/a`, value },
    { type: 'put', key: `/kept/${writer}/${i}`, value, expect: 0 },
    { type: 'delete', key: `/kept/${writer}/${i - keptCount}` },
    { type: 'put', key: `/last/${writer}/b`, value },
  ];
}

const impatientClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout(fn, ms) {
    const timer = setTimeout(fn, ms / 50);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

function filesFor(mode: Mode, random: () => number): Files {
  if (mode === 'power') return forgetfulFiles(random);
  if (mode === 'plain') return diskFiles;
  const kinds: readonly Fault[] = ['refuse', 'tear', 'lie'];
  return faultyFiles({ decide: () => (random() < 0.02 ? kinds[Math.floor(random() * kinds.length)] : undefined) });
}

async function main(directory: string, seed: number, mode: Mode): Promise<void> {
  const random = randomFrom(seed);
  const storage = await openEmbeddedStorage({
    directory,
    files: filesFor(mode, random),
    clock: impatientClock,
    observer: { compacted: () => void writeSync(1, 'checkpoint\n') },
    checkpointAfterBytes: 512 * 1024,
    historyItems: 2000,
    historyBytes: 1 << 20,
  });
  writeSync(1, `open ${await storage.currentRevision()}\n`);
  const write = async (writer: number): Promise<never> => {
    for (;;) {
      const last = (await storage.get(`/last/${writer}/a`)).kv;
      const i = last === undefined ? 0 : Number.parseInt(last.value.toString()) + 1;
      writeSync(1, `try ${writer} ${i}\n`);
      try {
        const { succeeded, revision } = await storage.transact(operationsOf(writer, i, 'x'.repeat(Math.floor(random() * 2000))));
        if (!succeeded) throw new Error(`writer ${writer} found its own key ${i} taken`);
        writeSync(1, `done ${writer} ${i} ${revision}\n`);
      } catch (error) {
        if (!(error instanceof StorageUnavailableError)) throw error;
        await sleep(5);
      }
    }
  };
  const compact = async (): Promise<never> => {
    for (;;) {
      await sleep(random() * 60);
      const target = (await storage.currentRevision()) - 200;
      if (target > 1)
        await storage.compact(target).catch((error: Error) => {
          if (!(error instanceof StorageUnavailableError)) throw error;
        });
    }
  };
  await Promise.all([...Array.from({ length: writers }, (_, writer) => write(writer)), compact()]);
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2]!, Number(process.argv[3]), process.argv[4] as Mode);
