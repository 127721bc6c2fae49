import { createHash } from 'node:crypto';
import type { Counter } from '../../base/metrics.ts';
import type { StructType } from '../../machinery/type-model.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { Codecs, TypedObject } from '../object/codecs.ts';
import { encodeObject, metaType } from '../object/codecs.ts';
import type { Media } from '../http/media-types.ts';
import { contentTypes, negotiateOutput, wantsPretty } from '../http/media-types.ts';
import type { ApiGroupDiscoveryList } from './documents.ts';
import { aggregatedContentType } from './negotiate-aggregated.ts';

interface Aggregated {
  readonly object: ApiGroupDiscoveryList & TypedObject;
  readonly etag: string;
}

/** Discovery documents as bytes, made when first asked for and kept until something changes. */
export class DiscoveryRenderer {
  readonly #codecs: Codecs;
  readonly #current: () => number;
  readonly #aggregations: Counter | undefined;
  #generation = -1;
  readonly #bytes = new Map<string, Buffer>();
  readonly #aggregated = new Map<string, Aggregated>();

  /** `generation` changes whenever something of the documents does; `aggregations` counts how often those of aggregated discovery were made */
  constructor(codecs: Codecs, generation: () => number, aggregations?: Counter) {
    this.#aggregations = aggregations;
    this.#codecs = codecs;
    this.#current = generation;
  }

  /** A document of meta/v1 in the form the client asks for. What depends on the client has no `key` and is not kept. */
  render(request: Request, kind: string, key: string | undefined, make: () => TypedObject): Response {
    const { media, pretty } = negotiateOutput(request, this.#codecs.served.documents);
    const encode = (): Buffer => encodeObject(this.#codecs, media, make(), metaType(this.#codecs, kind), pretty);
    const body = key === undefined ? encode() : this.#keep(`${key} ${media} ${pretty}`, encode);
    return { status: 200, headers: { 'content-type': contentTypes[media] }, body };
  }

  renderAggregated(request: Request, media: Media, key: string, make: () => ApiGroupDiscoveryList): Response {
    this.#forgetTheOld();
    const { object, etag } = this.#aggregatedObject(key, make);
    const headers = { etag, vary: 'Accept', 'cache-control': 'public' };
    if (request.header('if-none-match') === etag) return { status: 304, headers };
    const pretty = wantsPretty(request);
    const body = this.#keep(`${key} v2 ${media} ${pretty}`, () => encodeObject(this.#codecs, media, object, this.#listType(), pretty));
    return { status: 200, headers: { ...headers, 'content-type': aggregatedContentType(media) }, body };
  }

  #aggregatedObject(key: string, make: () => ApiGroupDiscoveryList): Aggregated {
    let known = this.#aggregated.get(key);
    if (known === undefined) {
      const object = make();
      this.#aggregations?.inc();
      // Every form of the document has the tag of its JSON form, without kind and apiVersion.
      const hash = createHash('sha512').update(this.#codecs.json.encode(object, this.#listType())).digest('hex').toUpperCase();
      known = { object: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', ...object }, etag: `"${hash}"` };
      this.#aggregated.set(key, known);
    }
    return known;
  }

  #listType(): StructType {
    const type = this.#codecs.schema.typeOf({ group: 'apidiscovery.k8s.io', version: 'v2', kind: 'APIGroupDiscoveryList' });
    if (type === undefined) throw new Error('the schema has no apidiscovery.k8s.io/v2');
    return type;
  }

  #keep(key: string, make: () => Buffer): Buffer {
    this.#forgetTheOld();
    let bytes = this.#bytes.get(key);
    if (bytes === undefined) this.#bytes.set(key, (bytes = make()));
    return bytes;
  }

  #forgetTheOld(): void {
    const generation = this.#current();
    if (this.#generation === generation) return;
    this.#generation = generation;
    this.#bytes.clear();
    this.#aggregated.clear();
  }
}
