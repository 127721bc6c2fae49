import { BuiltInDocuments } from '../../openapi/built-in.ts';
import type { BuiltInOptions } from '../../openapi/built-in.ts';
import type { Descriptions } from '../../openapi/descriptions.ts';
import type { DocumentContent, DocumentSource } from './document-source.ts';
import { PartWriter } from './document-source.ts';
import type { Slices } from '../../base/slices.ts';

export interface BuiltInSourceOptions extends Omit<BuiltInOptions, 'descriptions'> {
  readonly descriptions: () => Promise<Descriptions>;
}

/** The documents of what is built in. Prose is read when the first document is made, and forgotten when memory gets short. */
export class BuiltInSource implements DocumentSource {
  readonly names: readonly string[];
  readonly #names: ReadonlySet<string>;
  readonly #options: BuiltInSourceOptions;
  #documents: WeakRef<BuiltInDocuments> | undefined;
  #loading: Promise<BuiltInDocuments> | undefined;

  constructor(options: BuiltInSourceOptions) {
    this.#options = options;
    this.names = BuiltInDocuments.names(options);
    this.#names = new Set(this.names);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  generationOf(): number {
    return 0;
  }

  async make(name: string, previous: DocumentContent | undefined, slices: Slices): Promise<DocumentContent> {
    const documents = await this.documents();
    const writer = new PartWriter('v3', previous, slices);
    await writer.write(name, () => documents.v3(name));
    return { generation: 0, layout: documents.layoutV3(name), tables: writer.tables(), parts: writer.parts };
  }

  documents(): Promise<BuiltInDocuments> {
    const known = this.#documents?.deref();
    if (known !== undefined) return Promise.resolve(known);
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #load(): Promise<BuiltInDocuments> {
    const made = new BuiltInDocuments({ ...this.#options, descriptions: await this.#options.descriptions() });
    this.#documents = new WeakRef(made);
    return made;
  }
}
