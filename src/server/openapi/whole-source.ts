import { encodeV2 } from '../../openapi/gnostic/v2.ts';
import { mergeV2 } from '../../openapi/merge-v2.ts';
import type { AggregatedSource } from './aggregated-source.ts';
import type { BuiltInSource } from './built-in-source.ts';
import type { CustomSource } from './custom-source.ts';
import type { DocumentSource } from './document-store.ts';

/** The one document of OpenAPI 2. */
export class WholeSource implements DocumentSource {
  readonly names = ['v2'];
  readonly #builtIn: BuiltInSource;
  readonly #custom: CustomSource;
  readonly #aggregated: AggregatedSource;

  constructor(builtIn: BuiltInSource, custom: CustomSource, aggregated: AggregatedSource) {
    this.#builtIn = builtIn;
    this.#custom = custom;
    this.#aggregated = aggregated;
  }

  generationOf(): number {
    return this.#custom.generation + this.#aggregated.generation;
  }

  async json(): Promise<Buffer> {
    // Unlike the documents of OpenAPI 3: the original leaves `<`, `>` and `&` as they are here.
    return Buffer.from(JSON.stringify(await this.#document()));
  }

  async protobuf(): Promise<Buffer> {
    return encodeV2(await this.#document());
  }

  async #document(): Promise<object> {
    const own = (await this.#builtIn.documents()).v2(this.#custom.kinds);
    return this.#aggregated.documents.reduce<object>(mergeV2, own);
  }
}
