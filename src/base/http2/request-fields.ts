// RFC 9113, section 8. Upstream: golang.org/x/net/http2/server.go#serverConn.newWriterAndRequest

/** What the fields of a request say about it, beside their values. */
export interface RequestFields {
  readonly method: string;
  /** '' for CONNECT, which has none */
  readonly path: string;
  /** bytes that its body will have; -1: it does not say */
  readonly contentLength: number;
  /** Names in lower case. Lines of one name are joined, where a name may have several; otherwise the first one counts. */
  readonly headers: Readonly<Headers>;
}

type Headers = Record<string, string | string[] | undefined>;

/**
 * Makes objects that inherit nothing, whatever names clients make up. Those of Object.create(null) would be hash tables, which cost as much
 * as the rest of a small request.
 */
const NoHeaders = function () {} as unknown as new () => Headers;
NoHeaders.prototype = Object.create(null) as Headers;

const forbidden: ReadonlySet<string> = new Set(['connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Names of which the first line counts, as node:http and node:http2 have it. */
const single: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
]);

/** Undefined: they are not those of a request. `lines`: names and values in turn, in lower case and of valid characters. */
export function requestFields(lines: readonly string[]): RequestFields | undefined {
  const headers = new NoHeaders();
  let at = 0;
  for (; at < lines.length; at += 2) {
    const name = lines[at] as string;
    if (name.charCodeAt(0) !== 0x3a) break;
    const isKnown = name === ':path' || name === ':method' || name === ':scheme' || name === ':authority';
    if (!isKnown || headers[name] !== undefined) return undefined;
    headers[name] = lines[at + 1] as string;
  }
  for (; at < lines.length; at += 2) {
    const name = lines[at] as string;
    const value = lines[at + 1] as string;
    if (name.charCodeAt(0) === 0x3a || forbidden.has(name) || (name === 'te' && value !== 'trailers')) return undefined;
    const before = headers[name];
    if (before === undefined) headers[name] = name === 'set-cookie' ? [value] : value;
    else if (typeof before !== 'string') before.push(value);
    else if (!single.has(name)) headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  const { ':method': method = '', ':path': path = '', ':scheme': scheme = '', 'content-length': length } = headers;
  if (typeof method !== 'string' || typeof path !== 'string' || method === '') return undefined;
  if (method === 'CONNECT' ? path !== '' || scheme !== '' : path === '' || (scheme !== 'https' && scheme !== 'http')) return undefined;
  return { method, path, contentLength: contentLength(length), headers };
}

/** As in Go, what is not a number is none. */
function contentLength(value: string | string[] | undefined): number {
  if (value === undefined) return -1;
  return typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : 0;
}
