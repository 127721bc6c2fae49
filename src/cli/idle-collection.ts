const lookEveryMs = 2_500;
/**
 * The server counts as idle when it has used less than this share of a processor at every look for this long. Such a collection takes what requests are made of
 * for garbage, and V8 gives up the optimized code that knows these shapes: the next thousand requests cost half as much again. Bursts of a minute apart are spared that.
 */
const idleShare = 0.1;
const usualIdleMs = 60_000;
/** A regular collection leaves that code alone: V8 keeps the shapes for two of them. It comes after so many looks without work, where so few bytes are in the heap that it is short. */
const regularIdleLooks = 4;
const regularHeapBytes = 256 * 2 ** 20;
/**
 * The same after a start that hardly any request has followed, by the CPU used so far. So many bytes may be in the heap: where more is stored, a collection would
 * take long, and bring little. Not before compiled code is kept for the next start, which leaves garbage of its own (`base/process/code-cache.ts`).
 */
const firstIdleLooks = 6;
const firstCpuMs = 3_000;
const firstHeapBytes = 64 * 2 ** 20;
/** by how much the process has to have grown since it was last small: less is not worth a collection */
const worth = { ratio: 1.3, bytes: 32 * 2 ** 20 };
/** The next collection waits so many times as long as one took. */
const restRatio = 200;
/**
 * A collection that leaves nothing out stops everything for about 3 ms for each MB that stays: where it took longer than this, the next is an hour away. Regular
 * ones take a fifth as long, and come between: every compaction of a store leaves as much garbage behind as the store has.
 */
const longCollectionMs = 100;
const longRestMs = 3_600_000;
/**
 * What a collection after a peak found in use is garbage later: other encodings of what was read, which are kept for a minute, and changes that watch
 * caches remember, for a quarter of an hour.
 */
const onceMoreAfterMs = [90_000, 16 * 60_000];
/**
 * By how much memory that V8 does not know of has to have grown before the C library is asked to return what is free of it, which takes about 10 ms for each
 * 100 MB: after so many looks without work, and in the midst of it. Optimized code has no part in that.
 */
const worthTrimming = { whenIdle: 32 * 2 ** 20, always: 128 * 2 ** 20 };
const trimmingLooks = 4;

/**
 * Gives memory back after a peak. V8 collects when more is allocated: a server that is left alone keeps the garbage of its busiest moment, and
 * pages for as much again. When the process has grown and has little to do, everything is collected once, and V8 returns its pages. The C library,
 * which has the bytes of buffers, does not return free pages between used ones until it is asked to: after 11,000 pods were changed that was a third of everything.
 * Each thread does it for itself. For the command only: when to collect in a process in which the server is a library is for that process to decide.
 */
export function collectWhenIdle(idleMs = usualIdleMs): Disposable {
  const idleLooks = idleMs / lookEveryMs;
  let smallest = Infinity;
  /** size after the last collection of any kind, or less */
  let settled = Infinity;
  let hasCollected = false;
  let last = process.cpuUsage();
  let wholeFrom = 0;
  let regularFrom = 0;
  let onceMoreAt: number[] = [];
  let smallestForeign = Infinity;
  let trimsFrom = 0;
  let idle = 0;
  /** A start leaves as much behind as a peak does. */
  const isStart = (): boolean =>
    !hasCollected && idle >= firstIdleLooks && milliseconds(last) <= firstCpuMs && process.memoryUsage().heapUsed <= firstHeapBytes;
  const trimAll = (): void => {
    const began = performance.now();
    trim();
    const ended = performance.now();
    trimsFrom = ended + restRatio * (ended - began);
    smallestForeign = foreignBytes();
  };
  const look = (): void => {
    const used = process.cpuUsage(last);
    last = process.cpuUsage();
    const size = process.memoryUsage.rss();
    smallest = Math.min(smallest, size);
    settled = Math.min(settled, size);
    idle = milliseconds(used) > idleShare * lookEveryMs ? 0 : idle + 1;
    const began = performance.now();
    const afterStart = isStart();
    const isIdle = idle >= idleLooks;
    const isWhole = afterStart || (isIdle && isGrown(size, smallest) && began >= wholeFrom);
    const isOnceMore = isIdle && began >= (onceMoreAt[0] ?? Infinity);
    const isSoon = idle >= regularIdleLooks && process.memoryUsage().heapUsed <= regularHeapBytes;
    const isRegular = began >= regularFrom && (isOnceMore || ((isIdle || isSoon) && isGrown(size, settled)));
    if (!isWhole && !isRegular) {
      const foreign = foreignBytes();
      smallestForeign = Math.min(smallestForeign, foreign);
      const least = idle >= trimmingLooks ? worthTrimming.whenIdle : worthTrimming.always;
      if (began >= trimsFrom && foreign > smallestForeign + least) trimAll();
      return;
    }
    collect(isWhole ? 'last-resort' : 'regular');
    const ended = performance.now();
    const took = ended - began;
    regularFrom = ended + restRatio * took;
    // Hardly anything is stored after the start of a small server: how long that takes says nothing of later.
    if (isWhole) wholeFrom = took > longCollectionMs && !afterStart ? ended + longRestMs : regularFrom;
    if (isOnceMore) onceMoreAt.shift();
    if (isWhole) onceMoreAt = afterStart ? [] : onceMoreAfterMs.map((ms) => ended + ms);
    hasCollected = true;
    trimAll();
    // What is left is in use, or cannot be had back.
    settled = process.memoryUsage.rss();
    if (isWhole) smallest = settled;
    last = process.cpuUsage();
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function isGrown(size: number, before: number): boolean {
  return size >= worth.ratio * before + worth.bytes;
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

/** V8 has no other way to be asked: contexts that are made while the flag is set have the function. */
function collect(flavor: 'regular' | 'last-resort'): void {
  // Not imported: a start would load them, and most servers never get here.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('globalThis.gc') as ((options: { type: 'major'; execution: 'sync'; flavor: string }) => void) | undefined;
  setFlagsFromString('--no-expose-gc');
  // Flags are of the process: another thread may just have taken it back.
  gc?.({ type: 'major', execution: 'sync', flavor });
}

function foreignBytes(): number {
  const { rss, heapTotal, external } = process.memoryUsage();
  return rss - heapTotal - external;
}

/** Some milliseconds for each 100 MB of buffers. Only where node can call the C library (26.1 and newer), and that is glibc. */
function trim(): void {
  try {
    const ffi = process.getBuiltinModule('node:ffi');
    if (ffi === undefined) return;
    using library = ffi.dlopen('libc.so.6', { malloc_trim: { arguments: ['uint64'], return: 'int32' } });
    library.functions.malloc_trim(0n);
  } catch (error) {
    // Another C library does not have this file, or this function.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_FFI_CALL_FAILED') throw error;
  }
}
