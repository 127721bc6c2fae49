import { createJsonCodec } from '../../src/machinery/codec/json/codec.ts';
import { createProtobufCodec } from '../../src/machinery/codec/protobuf/index.ts';
import { createYamlCodec } from '../../src/machinery/codec/yaml/codec.ts';
import { createSchema } from '../../src/schema/index.ts';
import type { Format } from './mutations.ts';
import { mutate } from './mutations.ts';
import type { Random } from './random.ts';
import * as parts from './request-parts.ts';
import type { Target } from './request-parts.ts';

export interface Wrecked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** A request that once was a good one. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const schema = createSchema();
const json = createJsonCodec();
const yaml = createYamlCodec(json);
const protobuf = createProtobufCodec();

/** Makes requests that no client should send, from good ones. */
export class Wrecker {
  readonly #random: Random;
  readonly #recorded: readonly Recorded[];

  constructor(random: Random, recorded: readonly Recorded[] = []) {
    this.#random = random;
    this.#recorded = recorded;
  }

  next(): Wrecked {
    const random = this.#random;
    if (this.#recorded.length > 0 && random.below(3) === 0) return this.#wreckRecorded(random.pick(this.#recorded));
    if (random.below(40) === 0)
      return { method: this.#method(), path: this.#path(random.pick(parts.otherPaths)), headers: this.#headers() };
    const target = random.pick(parts.targets);
    const headers = this.#headers();
    switch (random.below(6)) {
      case 0:
        return this.#read(target, headers);
      case 1:
        return { method: 'DELETE', path: this.#path(`${target.path}/a`), headers, ...this.#body(parts.deleteOptions, headers) };
      case 2:
      case 3:
        return this.#patch(target, headers);
      case 4:
        return {
          method: this.#method(),
          path: this.#path(`${target.path}/a${this.#subresource(target)}`),
          headers,
          ...this.#body(target.object, headers),
        };
      default:
        return { method: 'POST', path: this.#path(target.path), headers, ...this.#body(target.object, headers) };
    }
  }

  #read(target: Target, headers: Record<string, string>): Wrecked {
    const random = this.#random;
    // watches last a second each, so there are few
    if (random.below(80) === 0) {
      const query = `?watch=1&timeoutSeconds=1&${this.#parameter()}&${this.#parameter()}`;
      return { method: 'GET', path: `${target.path}${query}`, headers };
    }
    const one = random.below(2) === 0 ? '' : `/a${this.#subresource(target)}`;
    return { method: random.below(10) === 0 ? this.#method() : 'GET', path: this.#path(target.path + one), headers };
  }

  #patch(target: Target, headers: Record<string, string>): Wrecked {
    const random = this.#random;
    const type = random.pick(parts.patchTypes);
    headers['content-type'] = type;
    const path = this.#path(`${target.path}/a${this.#subresource(target)}`, type === parts.patchTypes[3] ? 'fieldManager=m' : undefined);
    return { method: 'PATCH', path, headers, body: mutate(Buffer.from(JSON.stringify(this.#patchDocument(type, target))), 'json', random) };
  }

  #patchDocument(type: string, target: Target): unknown {
    const random = this.#random;
    if (type === parts.patchTypes[0]) return Array.from({ length: 1 + random.below(3) }, () => random.pick(parts.jsonPatch));
    if (type !== parts.patchTypes[2] || random.below(2) === 0) return target.object;
    return { ...target.object, ...random.pick(parts.directives) };
  }

  #wreckRecorded({ method, path, headers = {}, body }: Recorded): Wrecked {
    const random = this.#random;
    const kept = { ...headers, ...this.#headers() };
    const wrecked = { method: random.below(20) === 0 ? this.#method() : method, path: this.#path(path), headers: kept };
    if (body === undefined) return wrecked;
    const text = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    return { ...wrecked, headers: { 'content-type': 'application/json', ...kept }, body: mutate(text, 'json', random) };
  }

  #method(): string {
    return this.#random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']);
  }

  #subresource({ subresources = [] }: Target): string {
    return subresources.length > 0 && this.#random.below(3) === 0 ? `/${this.#random.pick(subresources)}` : '';
  }

  /** Now and then with a segment that does not belong there, and with a query. */
  #path(path: string, needed?: string): string {
    const random = this.#random;
    const [place = '', query] = path.split('?');
    const names = place.split('/');
    if (random.below(12) === 0) names.splice(1 + random.below(names.length), random.below(2), random.pick(parts.segments));
    const more = [query, needed, ...Array.from({ length: random.below(2) * random.below(4) }, () => this.#parameter())].filter(
      (one) => one !== undefined,
    );
    return names.join('/').replace(/^(?!\/)/, '/') + (more.length === 0 ? '' : `?${more.join('&')}`);
  }

  #parameter(): string {
    return `${this.#random.pick(parts.parameters)}=${this.#random.pick(parts.values)}`;
  }

  #headers(): Record<string, string> {
    const random = this.#random;
    const headers: Record<string, string> = random.below(3) === 0 ? { accept: random.pick(parts.accepts) } : {};
    if (random.below(10) === 0) {
      const [name, values] = random.pick(parts.headers);
      headers[name.replace('%', '-')] = random.pick(values).replace(/[^\x20-\x7e]/g, '');
    }
    return headers;
  }

  /** A wrecked body in some encoding; sometimes a deep or a large one. */
  #body(object: Target['object'], headers: Record<string, string>): { readonly body: Buffer } {
    const random = this.#random;
    const [contentType, format] = random.pick(parts.contentTypes);
    headers['content-type'] = contentType;
    if (random.below(1000) === 0) return { body: Buffer.from(`{"metadata":{"name":"big"},"data":{"k":"${'x'.repeat(3_200_000)}"}}`) };
    if (random.below(300) === 0) return { body: Buffer.from(this.#deep(object)) };
    return { body: mutate(encoded(object, format), format, random) };
  }

  #deep(object: Target['object']): string {
    const random = this.#random;
    const depth = 100 + random.below(12_000);
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}'],
      ['{"metadata":', '}'],
      ['{"f:a":', '}'],
      ['{"not":', '}'],
    ] as const);
    const value = open.repeat(depth) + (random.below(4) === 0 ? '' : `1${close.repeat(depth)}`);
    return JSON.stringify({ ...object, [random.pick(['x', 'spec', 'data', 'metadata', 'status'])]: '@' }).replace('"@"', () => value);
  }
}

function encoded(object: Target['object'], format: Format): Buffer {
  if (format === 'json') return Buffer.from(JSON.stringify(object));
  if (format === 'yaml') return Buffer.from(yaml.encodeUnstructured(object));
  const [version = '', group = ''] = object.apiVersion.split('/').reverse();
  const type = schema.typeOf({ group, version, kind: object.kind });
  if (type === undefined) return Buffer.from(JSON.stringify(object));
  return protobuf.encodeEnveloped(object, type, { kind: object.kind, apiVersion: object.apiVersion });
}
