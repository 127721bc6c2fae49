import type { ValueNotes } from '../../storage/drivers/replica/value-notes.ts';
import { StoredEntry } from './entry.ts';

/** Threads of one process tell each other of the entries that they have made: values of others are not parsed, and not validated again. */
export class EntryNotes implements ValueNotes {
  readonly #written: WeakMap<Buffer, StoredEntry>;

  /** `written`: entries of the values of this thread */
  constructor(written: WeakMap<Buffer, StoredEntry>) {
    this.#written = written;
  }

  of(value: Buffer): string | undefined {
    return this.#written.get(value)?.note();
  }

  add(key: string, value: Buffer, note: string): void {
    this.#written.set(value, StoredEntry.ofNote(key, value, note));
  }
}
