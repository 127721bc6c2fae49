import type { FileHandle } from 'node:fs/promises';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillingName, StorageDirectory } from './directory.ts';
import { StorageOpenError } from './errors.ts';
import { ownerOnly, PieceReader, publish } from './files.ts';
import { writeCheckpoint } from './maintenance.ts';
import type { StoredRecord } from './record.ts';
import { encoded, isIntact, readRecord, recordHeader, recordLength, recordLengthAt } from './record.ts';

const pieceSize = 1 << 20;
const longest = 64 << 20;

/** What a directory is filled from. */
export interface FillingSource {
  /** of the state that it gets */
  readonly revision: number;
  readonly prefix: string;
}

/**
 * A directory that gets a whole state bit by bit, across as many processes as it takes. Until it has all of it, it is no store: servers refuse
 * it. Then one rename makes it one.
 */
export class FillingDirectory implements AsyncDisposable {
  readonly #directory: StorageDirectory;
  readonly #path: string;
  #file: FileHandle | undefined;
  #end = 0;
  /** what it is being filled from; undefined: that has not begun */
  source: FillingSource | undefined;
  /** records that are there */
  count = 0;
  /** everything is there, and it is a store */
  isComplete = false;
  /** the last of them */
  lastKey: string | undefined;

  private constructor(directory: StorageDirectory) {
    this.#directory = directory;
    this.#path = join(directory.path, 'filling-records');
  }

  /** Rejects when the directory is a store that holds something. */
  static async open(path: string): Promise<FillingDirectory> {
    const directory = await StorageDirectory.open(path, { isFilling: true });
    const filling = new FillingDirectory(directory);
    try {
      const { segments, checkpoints } = await directory.contents();
      await filling.#find();
      if (segments.length === 0 && checkpoints.length === 0) return filling;
      const [checkpoint] = checkpoints;
      if (filling.source === undefined || checkpoint?.revision !== filling.source.revision) {
        throw new StorageOpenError(`data directory ${path} is not empty; choose a new one`);
      }
      // Killed at the very end.
      await filling.discard();
      filling.isComplete = true;
      return filling;
    } catch (error) {
      await filling[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Forgets what is there, and begins with another source. */
  async begin(source: FillingSource): Promise<void> {
    await this.discard();
    const path = join(this.#directory.path, fillingName);
    await writeFile(`${path}.tmp`, JSON.stringify(source), { flush: true, mode: ownerOnly });
    await publish(`${path}.tmp`, path);
    this.source = source;
    this.#file = await open(this.#path, 'w+', ownerOnly);
  }

  /** Adds records, which come after those before in key order. */
  async append(records: readonly StoredRecord[]): Promise<void> {
    const bytes = Buffer.concat(records.map(encoded));
    await this.#file!.write(bytes, 0, bytes.length, this.#end);
    this.#end += bytes.length;
    this.count += records.length;
    this.lastKey = records.at(-1)?.key ?? this.lastKey;
  }

  /** What is there, in key order. */
  async *records(): AsyncGenerator<StoredRecord[], void, undefined> {
    const reader = new PieceReader(this.#file!.fd, 0, pieceSize);
    for (let wanted = 0; ;) {
      const piece = await reader.next(wanted);
      if (piece === undefined) return;
      const found: StoredRecord[] = [];
      let at = 0;
      wanted = 0;
      for (;;) {
        const length = recordLengthAt(piece, at);
        if (length === undefined || reader.start + at + length > this.#end) {
          if (at + recordHeader <= piece.length) wanted = piece.readUInt32LE(at);
          break;
        }
        if (!isIntact(piece, at, length)) return yield found;
        found.push(readRecord(piece, at, length));
        at += length;
      }
      reader.consume(at);
      if (found.length > 0) yield found;
      // No record is as long: it is what a loss of power has left.
      if (wanted > longest) return;
    }
  }

  /** Makes it a store. */
  async finish(): Promise<void> {
    await this.#file!.sync();
    await writeCheckpoint(this.#directory, this.source!.revision, this.records());
    await this.discard();
    this.isComplete = true;
  }

  async discard(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    await rm(this.#path, { force: true });
    await rm(join(this.#directory.path, fillingName), { force: true });
    this.#end = 0;
    this.count = 0;
    this.lastKey = undefined;
    this.source = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
    this.#directory.unlock();
  }

  /** Goes on from where the last process was killed. */
  async #find(): Promise<void> {
    const text = await readFile(join(this.#directory.path, fillingName), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return;
    this.source = JSON.parse(text) as FillingSource;
    this.#file = await open(this.#path, 'a+', ownerOnly);
    await this.#file.close();
    this.#file = await open(this.#path, 'r+');
    this.#end = Infinity;
    let end = 0;
    for await (const records of this.records()) {
      for (const record of records) end += recordLength(record.key, record.kv?.value);
      this.count += records.length;
      this.lastKey = records.at(-1)?.key ?? this.lastKey;
    }
    this.#end = end;
    await this.#file.truncate(end);
  }
}
