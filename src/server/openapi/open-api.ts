import type { PathMux } from '../http/path-mux.ts';
import { AggregatedSource } from './aggregated-source.ts';
import type { BuiltInSource } from './built-in-source.ts';
import { CustomSource } from './custom-source.ts';
import { DocumentStore } from './document-store.ts';
import { installOpenApi } from './install.ts';
import { WholeSource } from './whole-source.ts';

/** Bytes of documents that are kept, enough for those of 500 definitions in both encodings; the one of OpenAPI 2 is kept whatever its size. */
const keptV3 = 96 << 20;
const keptV2 = 0;

/** The OpenAPI documents of a server. The server of custom resources publishes them in `custom`, what others serve goes to `aggregated`. */
export class OpenApi {
  readonly custom: CustomSource;
  readonly aggregated = new AggregatedSource();
  readonly #v3: DocumentStore;
  readonly #v2: DocumentStore;
  readonly #now: () => Date;

  constructor(builtIn: BuiltInSource, now: () => Date) {
    this.custom = new CustomSource(builtIn);
    this.#v3 = new DocumentStore([builtIn, this.custom], keptV3, now);
    this.#v2 = new DocumentStore([new WholeSource(builtIn, this.custom, this.aggregated)], keptV2, now);
    this.#now = now;
  }

  install(mux: PathMux): void {
    installOpenApi(mux, { v3: this.#v3, v2: this.#v2, now: this.#now });
  }
}
