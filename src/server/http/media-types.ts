// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go
import { notAcceptable, unsupportedMediaType } from '../../machinery/errors.ts';
import type { Request } from './request.ts';

export type Media = 'json' | 'yaml' | 'protobuf' | 'cbor';

export const contentTypes: Readonly<Record<Media, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  cbor: 'application/cbor',
};

/** YAML cannot be streamed: a watch in YAML is refused */
const streamable: ReadonlySet<Media> = new Set<Media>(['json', 'protobuf', 'cbor']);

/** What an endpoint can say and read, in order of preference. */
export interface MediaTypes {
  readonly plain: readonly Media[];
  /** encodings offered for `as=PartialObjectMetadata`; the same for most, more for custom resources */
  readonly metadata: readonly Media[];
  readonly table: boolean;
}

export type As = 'object' | 'table' | 'metadata';

export interface OutputForm {
  readonly media: Media;
  readonly as: As;
  /** the kind asked for, where the form is metadata: of one object or of a list */
  readonly partial?: 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** version of meta.k8s.io for tables and partial metadata */
  readonly metaVersion: 'v1' | 'v1beta1';
  readonly pretty: boolean;
}

export interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly q: number;
  readonly params: Readonly<Record<string, string>>;
}

export function negotiateOutput(request: Request, types: MediaTypes): OutputForm {
  const accept = request.header('accept');
  const pretty = wantsPretty(request);
  if (accept === undefined || accept === '' || accept === 'application/json') {
    return { media: types.plain[0] as Media, as: 'object', metaVersion: 'v1', pretty };
  }
  const found = match(accept, types);
  if (found === undefined) throw notAcceptable(named(types).map((media) => contentTypes[media]));
  return pretty && !found.pretty ? { ...found, pretty } : found;
}

export function negotiateStream(request: Request, types: MediaTypes): OutputForm {
  const accept = request.header('accept') || 'application/json';
  const found = match(accept, types);
  if (found === undefined) throw notAcceptable(named(types).map((media) => contentTypes[media]));
  if (!streamable.has(found.media))
    throw notAcceptable(
      named(types)
        .filter((media) => streamable.has(media))
        .map(streamContentType),
    );
  return found;
}

/** What a refusal names: a quirk kept, it names protobuf for custom resources too, of which only metadata can be had in it. */
const named = ({ plain, metadata }: MediaTypes): readonly Media[] => (metadata.length > plain.length ? metadata : plain);

export function streamContentType(media: Media): string {
  return media === 'cbor' ? 'application/cbor-seq' : `${contentTypes[media]};stream=watch`;
}

export function negotiateInput(contentType: string | undefined, plain: readonly Media[]): Media {
  if (contentType === undefined || contentType === '' || contentType === 'application/json') return 'json';
  const media = mediaOf(parseMediaType(contentType));
  if (media !== undefined && plain.includes(media)) return media;
  throw unsupportedMediaType(plain.map((one) => contentTypes[one]));
}

function mediaOf(type: string | undefined): Media | undefined {
  switch (type) {
    case 'application/json':
      return 'json';
    case 'application/yaml':
      return 'yaml';
    case 'application/vnd.kubernetes.protobuf':
      return 'protobuf';
    case 'application/cbor':
      return 'cbor';
    default:
      return undefined;
  }
}

/** The type of a Content-Type header in lower case, or undefined when it is malformed as Go's mime package sees it. */
export function parseMediaType(header: string): string | undefined {
  const parts = header.split(';');
  const type = (parts[0] as string).trim().toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+(\/[!#$%&'*+.^_`|~0-9a-z-]+)?$/.test(type)) return undefined;
  for (const parameter of parts.slice(1)) {
    const text = parameter.trim();
    if (text !== '' && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+=("([^"\\]|\\.)*"|[!#$%&'*+.^_`|~0-9A-Za-z-]+)$/.test(text)) return undefined;
  }
  return type;
}

function match(accept: string, types: MediaTypes): OutputForm | undefined {
  const offered = [...new Set([...types.plain, ...types.metadata])];
  for (const clause of parseAccept(accept)) {
    for (const media of offered) {
      if (!accepts(clause, contentTypes[media])) continue;
      const form = applyParameters(clause, media, types);
      if (form !== undefined) return form;
    }
  }
  return undefined;
}

export function accepts({ type, subtype }: Clause, contentType: string): boolean {
  if (type === '*' && subtype === '*') return true;
  if (!contentType.startsWith(type) || contentType[type.length] !== '/') return false;
  return subtype === '*' || (contentType.length === type.length + 1 + subtype.length && contentType.endsWith(subtype));
}

function applyParameters({ params }: Clause, media: Media, types: MediaTypes): OutputForm | undefined {
  const { as: kind, g: group, v: version, stream, sv } = params;
  if (stream && (!streamable.has(media) || stream !== 'watch')) return undefined;
  if (sv && sv !== 'v1') return undefined;
  const pretty = params['pretty'] === '1';
  if (kind === undefined && group === undefined && version === undefined) {
    return types.plain.includes(media) ? { media, as: 'object', metaVersion: 'v1', pretty } : undefined;
  }
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  switch (kind) {
    case 'Table':
      return types.table && (media === 'json' || media === 'yaml') ? { media, as: 'table', metaVersion: version, pretty } : undefined;
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return types.metadata.includes(media) ? { media, as: 'metadata', partial: kind, metaVersion: version, pretty } : undefined;
    default:
      return undefined;
  }
}

/** More are not looked at: a header has room for half a million. */
export const mostClauses = 20_000;
/** So many Go sorts by insertion, and more in less than the square of the time. */
const fewClauses = 12;

const noParams: Record<string, string> = Object.freeze({});

/** Clauses by falling quality; among equals the more specific first. */
export function parseAccept(header: string): Clause[] {
  const clauses: Clause[] = [];
  for (const part of header.split(',', mostClauses)) {
    const semicolon = part.indexOf(';');
    const range = (semicolon < 0 ? part : part.slice(0, semicolon)).trim();
    const slash = range.indexOf('/');
    if (slash < 0 ? range !== '*' : range.includes('/', slash + 1)) continue;
    let params = noParams;
    let q = 1;
    for (let at = semicolon, end: number; at >= 0; at = end) {
      end = part.indexOf(';', at + 1);
      const equals = part.indexOf('=', at + 1);
      if (equals < 0) break;
      if (end >= 0 && equals > end) continue;
      const key = part.slice(at + 1, equals).trim();
      const value = part.slice(equals + 1, end < 0 ? undefined : end).trim();
      if (key === 'q') q = Number.isNaN(Number.parseFloat(value)) ? 1 : Number.parseFloat(value);
      else (params === noParams ? (params = {}) : params)[key] = value;
    }
    const type = slash < 0 ? range : range.slice(0, slash).trimEnd();
    clauses.push({ type, subtype: slash < 0 ? '*' : range.slice(slash + 1).trimStart(), q, params });
  }
  const before = (a: Clause, b: Clause): boolean =>
    a.q > b.q || (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*');
  if (clauses.length > fewClauses) return clauses.sort((a, b) => Number(before(b, a)) - Number(before(a, b)));
  // An insertion sort by a relation that is no order (a specific clause of low quality may stay before a general one): a quirk kept.
  for (let i = 1; i < clauses.length; i++) {
    for (let j = i; j > 0 && before(clauses[j] as Clause, clauses[j - 1] as Clause); j--) {
      [clauses[j - 1], clauses[j]] = [clauses[j] as Clause, clauses[j - 1] as Clause];
    }
  }
  return clauses;
}

export function wantsPretty(request: Request): boolean {
  if (request.rawQuery.includes('pretty')) {
    const value = request.query.get('pretty');
    if (value !== null && value !== '') return ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value);
  }
  const agent = request.header('user-agent');
  return agent !== undefined && (agent.startsWith('curl') || agent.startsWith('Wget') || agent.startsWith('Mozilla/5.0'));
}
