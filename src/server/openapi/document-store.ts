import { createHash } from 'node:crypto';

/** Documents by name, made on demand. A document that changes says so by its generation. */
export interface DocumentSource {
  readonly names: readonly string[];
  /** changes with the content of the document */
  generationOf(name: string): number;
  /** the document as JSON and as protobuf */
  json(name: string): Promise<Buffer>;
  protobuf(name: string): Promise<Buffer>;
}

export type DocumentForm = 'json' | 'protobuf';

interface Kept {
  readonly bytes: Buffer;
  readonly generation: number;
}

interface Hash {
  readonly text: string;
  readonly generation: number;
  readonly since: Date;
}

/**
 * Documents of several sources with their hashes. Hashes are small and stay; bytes stay within a budget, the least lately used go
 * first. A document is made once, however many ask for it at the same time, and between two of them others get their turn.
 */
export class DocumentStore {
  readonly #sources: readonly DocumentSource[];
  readonly #budget: number;
  readonly #now: () => Date;
  readonly #hashes = new Map<string, Hash>();
  readonly #bytes = new Map<string, Kept>();
  readonly #making = new Map<string, Promise<Buffer>>();
  #size = 0;

  constructor(sources: readonly DocumentSource[], budgetBytes: number, now: () => Date) {
    this.#sources = sources;
    this.#budget = budgetBytes;
    this.#now = now;
  }

  get names(): readonly string[] {
    return [...new Set(this.#sources.flatMap(({ names }) => names))].sort();
  }

  has(name: string): boolean {
    return this.#sourceOf(name) !== undefined;
  }

  /** SHA-512 of the JSON form, in capitals; undefined when there is no such document (any more). */
  async hash(name: string): Promise<Hash | undefined> {
    const source = this.#sourceOf(name);
    if (source === undefined) return undefined;
    const known = this.#hashes.get(name);
    const generation = source.generationOf(name);
    if (known?.generation === generation) return known;
    const bytes = await this.#make(name, 'json', source);
    const text = createHash('sha512').update(bytes).digest('hex').toUpperCase();
    const made = { text, generation, since: known?.text === text ? known.since : this.#now() };
    this.#hashes.set(name, made);
    return made;
  }

  async bytes(name: string, form: DocumentForm): Promise<Buffer | undefined> {
    const source = this.#sourceOf(name);
    return source === undefined ? undefined : this.#make(name, form, source);
  }

  #sourceOf(name: string): DocumentSource | undefined {
    return this.#sources.find(({ names }) => names.includes(name));
  }

  async #make(name: string, form: DocumentForm, source: DocumentSource): Promise<Buffer> {
    const generation = source.generationOf(name);
    const key = `${form} ${name}`;
    const kept = this.#bytes.get(key);
    if (kept?.generation === generation) {
      this.#bytes.delete(key);
      this.#bytes.set(key, kept);
      return kept.bytes;
    }
    const task = `${key} ${generation}`;
    let making = this.#making.get(task);
    if (making === undefined) {
      making = new Promise<void>((resolve) => setImmediate(resolve)).then(() => source[form](name));
      this.#making.set(task, making);
    }
    try {
      const bytes = await making;
      this.#keep(key, { bytes, generation });
      return bytes;
    } finally {
      this.#making.delete(task);
    }
  }

  #keep(key: string, kept: Kept): void {
    this.#drop(key);
    if (kept.bytes.length > this.#budget) return;
    this.#bytes.set(key, kept);
    this.#size += kept.bytes.length;
    for (const oldest of this.#bytes.keys()) {
      if (this.#size <= this.#budget) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const old = this.#bytes.get(key);
    if (old === undefined) return;
    this.#bytes.delete(key);
    this.#size -= old.bytes.length;
  }
}
