import { encodeV2 } from '../../openapi/gnostic/v2.ts';
import type { BuiltInSource } from './built-in-source.ts';
import type { CustomSource } from './custom-source.ts';
import type { DocumentSource } from './document-store.ts';

/** The one document of OpenAPI 2. */
export class WholeSource implements DocumentSource {
  readonly names = ['v2'];
  readonly #builtIn: BuiltInSource;
  readonly #custom: CustomSource;

  constructor(builtIn: BuiltInSource, custom: CustomSource) {
    this.#builtIn = builtIn;
    this.#custom = custom;
  }

  generationOf(): number {
    return this.#custom.generation;
  }

  async json(): Promise<Buffer> {
    // Unlike the documents of OpenAPI 3: the original leaves `<`, `>` and `&` as they are here.
    return Buffer.from(JSON.stringify(await this.#document()));
  }

  async protobuf(): Promise<Buffer> {
    return encodeV2(await this.#document());
  }

  async #document(): Promise<object> {
    return (await this.#builtIn.documents()).v2(this.#custom.kinds);
  }
}
