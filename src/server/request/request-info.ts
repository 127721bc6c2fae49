// Upstream: k8s.io/apiserver/pkg/endpoints/request/requestinfo.go
import { isReason } from '../../machinery/errors.ts';
import { nameIsPathSegment } from '../../machinery/names.ts';
import { parseListOptions } from '../../machinery/options.ts';
import { parseQuery } from '../http/request-target.ts';

/** What a URL and a method ask for, before it is known to exist. */
export interface RequestInfo {
  readonly isResource: boolean;
  readonly verb: string;
  readonly path: string;
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  /** the special verb that a path begins with, `watch` or `proxy`; '' for most */
  readonly verbPrefix: string;
  readonly namespace: string;
  /** what is asked for lies below `namespaces/<namespace>`; a namespace itself does not, although it has a `namespace` */
  readonly inNamespace: boolean;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** path segments from the resource on */
  readonly parts: readonly string[];
}

/** Methods as HTTP writes them; HTTP/2 brings whatever a client makes up, which is no verb. */
const verbsByMethod: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

const specialVerbs: ReadonlySet<string> = new Set(['proxy', 'watch']);
/** below a namespace these are its subresources, not resources in it */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

/** undefined: the path is neither a resource's nor a plain one, but malformed (`/api/v1/watch`). */
export function requestInfo(method: string, path: string, rawQuery: string): RequestInfo | undefined {
  const segments = splitPath(path);
  if (segments.length < 3 || (segments[0] !== 'api' && segments[0] !== 'apis')) return nonResource(method, path);
  const apiPrefix = segments[0];
  let rest = 1;
  let group = '';
  if (apiPrefix === 'apis') {
    if (segments.length < 4) return nonResource(method, path);
    group = segments[rest++] as string;
  }
  const version = segments[rest++] as string;

  let verb = verbsByMethod.get(method) ?? '';
  let verbPrefix = '';
  const first = segments[rest] as string;
  if (specialVerbs.has(first)) {
    if (segments.length - rest < 2) return undefined;
    verb = verbPrefix = first;
    rest++;
  }

  let namespace = '';
  let inNamespace = false;
  if (segments[rest] === 'namespaces') {
    const name = segments[rest + 1];
    if (name !== undefined) {
      namespace = name;
      const below = segments[rest + 2];
      inNamespace = below !== undefined && !namespaceSubresources.has(below);
      if (inNamespace) rest += 2;
    }
  }

  const parts = segments.slice(rest);
  const resource = parts[0] ?? '';
  let name = parts[1] ?? '';
  const subresource = parts.length >= 3 && verb !== 'proxy' ? (parts[2] as string) : '';

  if (name === '' && verb === 'get') {
    const query = rawQuery === '' ? undefined : parseQuery(rawQuery);
    verb = query !== undefined && isTrue(query.get('watch')) ? 'watch' : 'list';
    if (query !== undefined) name = singleName(query);
  } else if (name === '' && verb === 'delete') {
    verb = 'deletecollection';
  }
  return {
    isResource: true,
    verb,
    path,
    apiPrefix,
    group,
    version,
    verbPrefix,
    namespace,
    inNamespace,
    resource,
    subresource,
    name,
    parts,
  };
}

function nonResource(method: string, path: string): RequestInfo {
  return {
    isResource: false,
    verb: method.toLowerCase(),
    path,
    apiPrefix: '',
    group: '',
    version: '',
    verbPrefix: '',
    namespace: '',
    inNamespace: false,
    resource: '',
    subresource: '',
    name: '',
    parts: [],
  };
}

/** Upstream's reading of a boolean parameter: present and neither `0` nor `false`. */
export function isTrue(value: string | null | undefined): boolean {
  return value !== null && value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}

/** The one name that a list asks for. Options that cannot be read ask for none: the handler will say what is wrong with them. */
function singleName(query: URLSearchParams): string {
  if (!query.get('fieldSelector')?.includes('metadata.name')) return '';
  try {
    const name = parseListOptions(query).fieldSelector.exactMatch('metadata.name') ?? '';
    return nameIsPathSegment(name, false).length === 0 ? name : '';
  } catch (error) {
    if (isReason(error, 'BadRequest')) return '';
    throw error;
  }
}

function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === 47) start++;
  while (end > start && path.charCodeAt(end - 1) === 47) end--;
  if (start === end) return [];
  const segments: string[] = [];
  for (let slash = path.indexOf('/', start); slash >= 0 && slash < end; slash = path.indexOf('/', start)) {
    segments.push(path.slice(start, slash));
    start = slash + 1;
  }
  segments.push(path.slice(start, end));
  return segments;
}
