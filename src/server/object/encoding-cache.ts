import { totalmem } from 'node:os';
import type { Clock } from '../../base/clock.ts';

/** What is kept: bytes, or pieces of them. */
interface Encoding {
  /** in bytes */
  readonly length: number;
}

type Generation = Map<string, Map<object, Encoding>>;

const generationMs = 30_000;

/**
 * Other encodings of stored objects (protobuf, another version, rows of tables), kept while they are hot: what is not asked for during a
 * whole generation is forgotten, and what was replaced at once. So it holds as much as is read, up to the budget; beyond that nothing is
 * added until something has cooled down, so that a list which is larger than the budget finds a part of it.
 */
export class EncodingCache implements Disposable {
  readonly #budget: number;
  readonly #clock: Clock;
  #young: Generation = new Map();
  #old: Generation = new Map();
  #youngBytes = 0;
  #oldBytes = 0;
  #timer: Disposable | undefined;

  constructor(budgetBytes: number, clock: Clock) {
    this.#budget = budgetBytes;
    this.#clock = clock;
  }

  /** The bytes that it holds. */
  get size(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  /** The caller knows what it has kept under this name. */
  find<T extends Encoding>(entry: object, encoding: string): T | undefined {
    const young = this.#young.get(encoding)?.get(entry);
    if (young !== undefined) return young as T;
    const cooling = this.#old.get(encoding);
    const old = cooling?.get(entry);
    if (old === undefined) return undefined;
    cooling?.delete(entry);
    this.#oldBytes -= old.length;
    this.#add(entry, encoding, old);
    return old as T;
  }

  keep(entry: object, encoding: string, value: Encoding): void {
    if (this.hasRoom(value.length)) this.#add(entry, encoding, value);
  }

  hasRoom(bytes: number): boolean {
    return this.size + bytes <= this.#budget;
  }

  /** Drops what is kept for an entry that no request can meet any more. */
  forget(entry: object): void {
    if (this.size === 0) return;
    this.#youngBytes -= removeFrom(this.#young, entry);
    this.#oldBytes -= removeFrom(this.#old, entry);
  }

  #add(entry: object, encoding: string, value: Encoding): void {
    let entries = this.#young.get(encoding);
    if (entries === undefined) this.#young.set(encoding, (entries = new Map<object, Encoding>()));
    this.#youngBytes += value.length - (entries.get(entry)?.length ?? 0);
    entries.set(entry, value);
    this.#timer ??= this.#clock.setTimeout(() => this.#nextGeneration(), generationMs);
  }

  #nextGeneration(): void {
    this.#timer = undefined;
    this.#old = this.#young;
    this.#oldBytes = this.#youngBytes;
    this.#young = new Map();
    this.#youngBytes = 0;
    if (this.#oldBytes > 0) this.#timer = this.#clock.setTimeout(() => this.#nextGeneration(), generationMs);
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }
}

/** How many bytes were kept for the entry. */
function removeFrom(generation: Generation, entry: object): number {
  let bytes = 0;
  for (const entries of generation.values()) {
    const value = entries.get(entry);
    if (value === undefined) continue;
    bytes += value.length;
    entries.delete(entry);
  }
  return bytes;
}

/** A small part of the machine: it is filled only by what is read again and again. */
export function encodingBudget(): number {
  const machine = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.max(32 << 20, Math.min(256 << 20, machine / 16));
}
