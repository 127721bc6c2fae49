import type { ColdReader } from './cold-reader.ts';
import type { EmbeddedParts } from './embedded-storage.ts';
import { mergeCheckpoint } from './merge.ts';

const manySegments = 64;

/** Turns log that is no longer history into a new checkpoint, in the background. */
export class Compactor {
  readonly #parts: EmbeddedParts;
  readonly #cold: ColdReader;
  #work: Promise<unknown> = Promise.resolve();
  #busy = false;

  constructor(parts: EmbeddedParts, cold: ColdReader) {
    this.#parts = parts;
    this.#cold = cold;
  }

  /** Runs `task` while no file is being replaced. */
  exclusive<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#work.then(task);
    this.#work = result.catch(() => undefined);
    return result;
  }

  /** Starts a merge up to the compacted revision if enough of the log lies before it. */
  consider(compactRevision: number): void {
    const { logFiles, directory, files, keyspace, observer, checkpointAfterBytes } = this.#parts;
    const covered = logFiles.segments.filter(({ lastRevision }) => lastRevision <= compactRevision);
    const bytes = covered.reduce((sum, segment) => sum + segment.bytes, 0);
    const worthwhile = Math.max(checkpointAfterBytes, (logFiles.checkpoint?.bytes ?? 0) / 2);
    if (this.#busy || covered.length === 0 || (bytes < worthwhile && covered.length < manySegments)) return;
    this.#busy = true;
    const revision = covered.at(-1)!.lastRevision;
    const start = performance.now();
    this.exclusive(async () => {
      const checkpoint = await mergeCheckpoint(files, logFiles, directory.checkpointPath(revision), revision, (key) => keyspace.get(key));
      await logFiles.replaceCheckpoint(checkpoint);
      this.#cold.forget();
      return checkpoint.bytes;
    })
      .then(
        (size) => observer.compacted?.((performance.now() - start) / 1000, size),
        // Nothing is lost: the old checkpoint and the log still stand, and the next compaction tries again.
        (error: Error) => observer.compactionFailed?.(error),
      )
      .finally(() => (this.#busy = false));
  }

  async close(): Promise<void> {
    await this.#work;
  }
}
