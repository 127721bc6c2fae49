import { allSteps, stepByStep } from '../../../base/steps.ts';
import type { Clock } from '../../../base/clock.ts';
import { StorageUnavailableError } from '../../storage.ts';
import type { StorageDirectory } from './directory.ts';
import type { Files } from './files.ts';
import type { StoredRecord } from './record.ts';
import { batchLength, encodeBatch, SegmentWriter } from './segment.ts';

export interface LogEntry {
  readonly records: readonly StoredRecord[];
  readonly revision: number;
  /** Called in order when the entry is durable, before any later entry's. */
  readonly committed: () => void;
  readonly failed: (error: StorageUnavailableError) => void;
}

export interface LogEvents {
  /** entries of one batch are durable and have been acknowledged */
  readonly batchCommitted: (seconds: number, entries: number, bytes: number) => void;
  /** Every entry that was on its way has failed; what the caller assumed about them must be forgotten. */
  readonly failed: (error: Error) => void;
  readonly recovered: () => void;
  readonly sealed: (segment: { path: string; sequence: number; bytes: number }) => void;
}

const smallestSegment = 1 << 20;
const largestSegment = 64 << 20;
const retryMs = 1000;
/** Batches are cut here, so that one batch of many big values does not keep all of them waiting. */
const batchBytes = 4 << 20;
/** from this on others get their turn while they are encoded */
const manyRecords = 1000;

/** A batch is begun for a thread of its own to write, which it has to be woken for: writers of one turn of the event loop share it. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The write side of the log. Entries that arrive while a batch is being written make up the next one: under load a sync serves
 * many writers. One batch is in flight at a time, which is what lets recovery tell an unfinished end from damage.
 */
export class Log {
  readonly #files: Files;
  readonly #directory: StorageDirectory;
  readonly #clock: Clock;
  readonly #events: LogEvents;
  #queue: LogEntry[] = [];
  #writing: Promise<void> | undefined;
  #segment: SegmentWriter | undefined;
  #next: Promise<SegmentWriter> | undefined;
  #sequence: number;
  #segmentSize = smallestSegment;
  #buffer = Buffer.allocUnsafeSlow(64 * 1024);
  /** newest revision that is durable */
  #revision: number;
  #compactRevision: number;
  #failure: StorageUnavailableError | undefined;
  #retry: Disposable | undefined;
  #closed = false;

  constructor(
    start: { files: Files; directory: StorageDirectory; clock: Clock; sequence: number; revision: number; compactRevision: number },
    events: LogEvents,
  ) {
    this.#files = start.files;
    this.#directory = start.directory;
    this.#clock = start.clock;
    this.#sequence = start.sequence;
    this.#revision = start.revision;
    this.#compactRevision = start.compactRevision;
    this.#events = events;
  }

  /** why nothing can be written now */
  get failure(): StorageUnavailableError | undefined {
    return this.#failure;
  }

  /** sequence number of the segment being written, or of the next one if there is none */
  get sequence(): number {
    return this.#segment?.sequence ?? this.#sequence;
  }

  get segmentBytes(): number {
    return this.#segment?.size ?? 0;
  }

  /** bytes in the log since the last sealed segment */
  get usedBytes(): number {
    return this.#segment?.used ?? 0;
  }

  /** Gets a segment ready. Failing is no reason not to open: reads work, and writing is tried again. */
  async start(): Promise<void> {
    // An entry that comes meanwhile waits: two writers that rotate at once take the segment away from each other.
    this.#writing = Promise.resolve()
      .then(() => this.#rotate(0))
      .catch((error: Error) => this.#fail(error, false));
    await this.#writing;
    this.#writing = this.#queue.length > 0 ? this.#write() : undefined;
  }

  append(entry: LogEntry): void {
    this.#queue.push(entry);
    this.#writing ??= this.#write();
  }

  /** Carried by every batch from now on; an entry without records makes it durable. */
  setCompactRevision(revision: number): void {
    this.#compactRevision = revision;
  }

  /** Writes what is queued, then closes. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#retry?.[Symbol.dispose]();
    await this.#writing;
    await this.#segment?.close();
    const next = await this.#next?.catch(() => undefined);
    await next?.discard();
  }

  async #write(): Promise<void> {
    await endOfTurn();
    while (this.#queue.length > 0 && this.#failure === undefined) {
      const entries = this.#take();
      let written = false;
      try {
        const records = entries.length === 1 ? entries[0]!.records : entries.flatMap((entry) => entry.records);
        const length = batchLength(records);
        if (this.#segment === undefined || this.#segment.room < length) await this.#rotate(length);
        if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafeSlow(2 * length);
        const revision = entries.at(-1)!.revision;
        const encoding = encodeBatch(this.#buffer, { records, revision, compactRevision: this.#compactRevision });
        const bytes = records.length < manyRecords ? allSteps(encoding) : await stepByStep(encoding);
        const start = performance.now();
        written = true;
        await this.#segment!.append(bytes);
        this.#revision = revision;
        for (const entry of entries) entry.committed();
        this.#events.batchCommitted((performance.now() - start) / 1000, entries.length, bytes.length);
        if (this.#segment!.room < this.#segment!.size / 2) void this.#prepareNext(0);
      } catch (cause) {
        this.#fail(cause as Error, written, entries);
      }
      if (this.#buffer.length > 2 * batchBytes) this.#buffer = Buffer.allocUnsafeSlow(batchBytes);
      // Those woken by this commit get to queue their next write into the next batch, and so do others of this turn.
      await endOfTurn();
    }
    this.#writing = undefined;
    if (this.#failure !== undefined) this.#rejectQueue();
  }

  #take(): LogEntry[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#queue.length && bytes < batchBytes) bytes += batchLength(this.#queue[count++]!.records);
    if (count < this.#queue.length) return this.#queue.splice(0, count);
    const all = this.#queue;
    this.#queue = [];
    return all;
  }

  #prepareNext(length: number): Promise<SegmentWriter> {
    if (this.#next === undefined) {
      const next = this.#prepare(this.#sequence++, length);
      this.#next = next;
      // The next writer to the segment meets the error there and tries anew.
      next.catch(() => {
        if (this.#next === next) this.#next = undefined;
      });
    }
    return this.#next;
  }

  /** Each is larger than the one before; where there is no space for that, as large as fits. */
  async #prepare(sequence: number, length: number): Promise<SegmentWriter> {
    const least = Math.max(smallestSegment, length * 2);
    for (let size = Math.max(this.#segmentSize, least); ; size = Math.max(size >> 2, least)) {
      try {
        const segment = await SegmentWriter.prepare(this.#files, this.#directory.segmentPath(sequence), sequence, size);
        this.#segmentSize = Math.min(size * 4, largestSegment);
        return segment;
      } catch (error) {
        if (size === least || !['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
    }
  }

  /** Goes on in a new segment that has room for `length` bytes. */
  async #rotate(length: number): Promise<void> {
    let next = await this.#prepareNext(length);
    this.#next = undefined;
    if (next.room < length) {
      await next.discard();
      next = await this.#prepareNext(length);
      this.#next = undefined;
    }
    try {
      await next.activate(this.#revision + 1);
    } catch (error) {
      await next.discard();
      throw error;
    }
    const last = this.#segment;
    this.#segment = next;
    if (last === undefined) return;
    this.#events.sealed({ path: last.path, sequence: last.sequence, bytes: last.used });
    await last.close();
  }

  #fail(cause: Error, written: boolean, entries: readonly LogEntry[] = []): void {
    const message = `the storage cannot write to ${this.#directory.path}: ${cause.message}`;
    this.#failure = new StorageUnavailableError(message, { outcomeUnknown: false, cause });
    const error = new StorageUnavailableError(message, { outcomeUnknown: written, cause });
    this.#events.failed(this.#failure);
    for (const entry of entries) entry.failed(error);
    this.#rejectQueue();
    this.#scheduleRetry();
  }

  #rejectQueue(): void {
    const queued = this.#queue;
    this.#queue = [];
    for (const entry of queued) entry.failed(this.#failure!);
  }

  #scheduleRetry(): void {
    if (this.#closed) return;
    this.#retry = this.#clock.setTimeout(() => {
      // What the failed segment holds after the last commit is unknown; a new one, once active, makes it void.
      this.#writing = this.#rotate(0).then(
        () => {
          this.#writing = undefined;
          this.#failure = undefined;
          this.#events.recovered();
        },
        () => {
          this.#writing = undefined;
          this.#scheduleRetry();
        },
      );
    }, retryMs);
  }
}
