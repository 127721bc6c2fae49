import type { DocumentSource } from './document-source.ts';
import type { CompressedBlocks } from './joined-gzip.ts';
import { ServedDocument } from './document.ts';
import { Slices } from '../../base/slices.ts';

/** Which content a document has, and since when. */
interface Version {
  readonly hash: string;
  readonly generation: number;
  readonly since: Date;
}

/**
 * Documents of several sources with their hashes. Hashes are small and stay; documents stay within a budget, the least lately used go
 * first, the one used last stays whatever its size. A document is made once, however many ask for it at the same time, and in slices.
 */
export class DocumentStore {
  readonly #sources: readonly DocumentSource[];
  readonly #budget: number;
  readonly #now: () => Date;
  readonly #versions = new Map<string, Version>();
  readonly #kept = new Map<string, ServedDocument>();
  readonly #making = new Map<string, Promise<ServedDocument>>();
  readonly #compressed: CompressedBlocks = new WeakMap();

  constructor(sources: readonly DocumentSource[], budgetBytes: number, now: () => Date) {
    this.#sources = sources;
    this.#budget = budgetBytes;
    this.#now = now;
  }

  get names(): readonly string[] {
    return [...new Set(this.#sources.flatMap(({ names }) => names))].sort();
  }

  /** Undefined when there is no such document (any more). */
  async version(name: string): Promise<Version | undefined> {
    const source = this.#sourceOf(name);
    if (source === undefined) return undefined;
    const known = this.#versions.get(name);
    if (known?.generation === source.generationOf(name)) return known;
    await this.#make(name, source);
    return this.#versions.get(name);
  }

  async document(name: string): Promise<{ readonly document: ServedDocument; readonly since: Date } | undefined> {
    const source = this.#sourceOf(name);
    if (source === undefined) return undefined;
    const document = await this.#make(name, source);
    return { document, since: this.#versions.get(name)?.since ?? this.#now() };
  }

  #sourceOf(name: string): DocumentSource | undefined {
    return this.#sources.find((source) => source.has(name));
  }

  async #make(name: string, source: DocumentSource): Promise<ServedDocument> {
    const generation = source.generationOf(name);
    const kept = this.#kept.get(name);
    if (kept?.content.generation === generation) {
      this.#kept.delete(name);
      this.#kept.set(name, kept);
      return kept;
    }
    const task = `${generation} ${name}`;
    let making = this.#making.get(task);
    if (making === undefined) {
      making = this.#start(name, source).finally(() => this.#making.delete(task));
      this.#making.set(task, making);
    }
    return making;
  }

  async #start(name: string, source: DocumentSource): Promise<ServedDocument> {
    const slices = new Slices();
    const content = await source.make(name, this.#kept.get(name)?.content, slices);
    const document = await ServedDocument.make(content, this.#compressed, slices, () => this.#trim());
    const known = this.#versions.get(name);
    const { generation } = content;
    // Of two that were made at the same time the newer one stays.
    if (known === undefined || known.generation <= generation) {
      const since = known?.hash === document.hash ? known.since : this.#now();
      this.#versions.set(name, { hash: document.hash, generation, since });
      this.#kept.delete(name);
      this.#kept.set(name, document);
      this.#trim();
    }
    return document;
  }

  #trim(): void {
    let size = 0;
    for (const document of this.#kept.values()) size += document.size;
    for (const [name, document] of this.#kept) {
      if (size <= this.#budget || this.#kept.size === 1) break;
      this.#kept.delete(name);
      size -= document.size;
    }
  }
}
