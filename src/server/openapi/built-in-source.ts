import { BuiltInDocuments } from '../../openapi/built-in.ts';
import type { BuiltInOptions } from '../../openapi/built-in.ts';
import type { Descriptions } from '../../openapi/descriptions.ts';
import { documentJson } from '../../openapi/document-json.ts';
import { encodeV3 } from '../../openapi/gnostic/v3.ts';
import type { DocumentSource } from './document-store.ts';

export interface BuiltInSourceOptions extends Omit<BuiltInOptions, 'descriptions'> {
  readonly descriptions: () => Promise<Descriptions>;
}

/** The documents of what is built in. Prose is read when the first document is made, and forgotten when memory gets short. */
export class BuiltInSource implements DocumentSource {
  readonly names: readonly string[];
  readonly #options: BuiltInSourceOptions;
  #documents: WeakRef<BuiltInDocuments> | undefined;
  #loading: Promise<BuiltInDocuments> | undefined;

  constructor(options: BuiltInSourceOptions) {
    this.#options = options;
    this.names = BuiltInDocuments.names(options);
  }

  generationOf(): number {
    return 0;
  }

  async json(name: string): Promise<Buffer> {
    return Buffer.from(documentJson((await this.documents()).v3(name)));
  }

  async protobuf(name: string): Promise<Buffer> {
    return encodeV3((await this.documents()).v3(name));
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
