// Upstream: std/net/url
// Its texts show in errors.

import { goQuote } from '../../machinery/go-format.ts';
import { AddressError, parseAddress } from './addresses.ts';

export class UrlError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export interface Url {
  readonly scheme: string;
  readonly opaque: string;
  readonly userinfo: string | undefined;
  readonly host: string;
  readonly path: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly forceQuery: boolean;
  readonly fragment: string;
}

type Mode = 'path' | 'host' | 'zone' | 'user' | 'query';

const unreserved = /[A-Za-z0-9\-_.~]/;
// Characters that stand for themselves in the different parts.
const plain: Readonly<Record<Mode, string>> = {
  path: '$&+,/:;=@',
  host: '!$&\'()*+,;=:[]<>"',
  zone: '!$&\'()*+,;=:[]<>"',
  user: '$&+,;=',
  query: '',
};

const isPlain = (c: string, mode: Mode): boolean => unreserved.test(c) || plain[mode].includes(c);

const latin = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const fromLatin = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

function unescape(text: string, mode: Mode): string | UrlError {
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '%') {
      const escape = text.slice(i, i + 3);
      if (!/^%[0-9a-fA-F]{2}$/.test(escape)) return new UrlError(`invalid URL escape ${goQuote(escape)}`);
      if (mode === 'host' && parseInt(escape[1]!, 16) < 8 && escape !== '%25') return new UrlError(`invalid URL escape ${goQuote(escape)}`);
      if (mode === 'zone' && escape !== '%25') {
        const decoded = String.fromCharCode(parseInt(escape.slice(1), 16));
        if (decoded !== ' ' && !isPlain(decoded, 'host')) return new UrlError(`invalid URL escape ${goQuote(escape)}`);
      }
      i += 2;
    } else if ((mode === 'host' || mode === 'zone') && c < '\x80' && !isPlain(c, mode)) {
      return new UrlError(`invalid character ${goQuote(c)} in host name`);
    }
  }
  const plus = mode === 'query' ? text.replaceAll('+', ' ') : text;
  if (!plus.includes('%')) return plus;
  return fromLatin(latin(plus).replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))));
}

const escapePath = (path: string): string =>
  [...latin(path)].map((c) => (isPlain(c, 'path') ? c : `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)).join('');

/** Go's url.Parse; with `isRequest` url.ParseRequestURI. */
export function parseUrl(text: string, isRequest: boolean): Url | UrlError {
  const hash = isRequest ? -1 : text.indexOf('#');
  const parsed = parse(hash < 0 ? text : text.slice(0, hash), isRequest);
  if (parsed instanceof UrlError) return new UrlError(`parse ${goQuote(text)}: ${parsed.message}`);
  if (hash < 0) return parsed;
  const fragment = unescape(text.slice(hash + 1), 'path');
  if (fragment instanceof UrlError) return new UrlError(`parse ${goQuote(text)}: ${fragment.message}`);
  return { ...parsed, fragment };
}

const empty: Url = {
  scheme: '',
  opaque: '',
  userinfo: undefined,
  host: '',
  path: '',
  rawPath: '',
  rawQuery: '',
  forceQuery: false,
  fragment: '',
};

function parse(text: string, isRequest: boolean): Url | UrlError {
  if (/[\x00-\x1f\x7f]/.test(text)) return new UrlError('net/url: invalid control character in URL');
  if (text === '' && isRequest) return new UrlError('empty url');
  if (text === '*') return { ...empty, path: '*' };
  if (text.startsWith(':')) return new UrlError('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+\-.]*):/.exec(text)?.[1] ?? '';
  const afterScheme = scheme === '' ? text : text.slice(scheme.length + 1);
  const mark = afterScheme.indexOf('?');
  const rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  const rawQuery = mark < 0 ? '' : afterScheme.slice(mark + 1);
  const base: Url = { ...empty, scheme: scheme.toLowerCase(), rawQuery, forceQuery: mark >= 0 && rawQuery === '' };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...base, opaque: rest };
    if (isRequest) return new UrlError('invalid URI for request');
    if (rest.split('/')[0]!.includes(':')) return new UrlError('first path segment in URL cannot contain colon');
  }
  if ((scheme !== '' || (!isRequest && !rest.startsWith('///'))) && rest.startsWith('//')) return withAuthority(base, rest.slice(2));
  return withPath(base, rest);
}

function withAuthority(base: Url, rest: string): Url | UrlError {
  const slash = rest.indexOf('/');
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const at = authority.lastIndexOf('@');
  const host = parseHost(base.scheme, authority.slice(at + 1));
  if (host instanceof UrlError) return host;
  const userinfo = at < 0 ? undefined : authority.slice(0, at);
  if (userinfo !== undefined) {
    if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) return new UrlError('net/url: invalid userinfo');
    const decoded = unescape(userinfo, 'user');
    if (decoded instanceof UrlError) return decoded;
  }
  return withPath({ ...base, userinfo, host }, slash < 0 ? '' : rest.slice(slash));
}

const portPattern = /^(?::\d*)?$/;

function parseHost(scheme: string, host: string): string | UrlError {
  const open = host.lastIndexOf('[');
  if (open > 0) return new UrlError('invalid IP-literal');
  if (open === 0) return parseBracketed(host);
  const first = host.indexOf(':');
  if (first >= 0) {
    const last = host.lastIndexOf(':');
    const port = host.slice(scheme === 'http' || scheme === 'https' ? first : last);
    if (!portPattern.test(port)) return new UrlError(`invalid port ${goQuote(port)} after host`);
  }
  return unescape(host, 'host');
}

function parseBracketed(host: string): string | UrlError {
  const close = host.lastIndexOf(']');
  if (close < 0) return new UrlError("missing ']' in host");
  const port = host.slice(close + 1);
  if (!portPattern.test(port)) return new UrlError(`invalid port ${goQuote(port)} after host`);
  const name = host.slice(1, close);
  const zoneAt = name.indexOf('%25');
  const hostPart = unescape(zoneAt < 0 ? name : name.slice(0, zoneAt), 'host');
  if (hostPart instanceof UrlError) return hostPart;
  const zonePart = zoneAt < 0 ? '' : unescape(name.slice(zoneAt), 'zone');
  if (zonePart instanceof UrlError) return zonePart;
  const address = parseAddress(hostPart + zonePart);
  if (address instanceof AddressError) return new UrlError(`invalid host: ${address.message}`);
  return address.isV4 ? new UrlError('invalid IP-literal') : `[${hostPart}${zonePart}]${port}`;
}

function withPath(base: Url, rawPath: string): Url | UrlError {
  const path = unescape(rawPath, 'path');
  if (path instanceof UrlError) return path;
  return { ...base, path, rawPath: escapePath(path) === rawPath ? '' : rawPath };
}

export function escapedPath(url: Url): string {
  const isValid = [...url.rawPath].every((c) => isPlain(c, 'path') || "!'()*[]%".includes(c));
  if (url.rawPath !== '' && isValid) return url.rawPath;
  return url.path === '*' ? '*' : escapePath(url.path);
}

/** Host name without brackets, and the port. */
export function hostParts(url: Url): { hostname: string; port: string } {
  const colon = url.host.lastIndexOf(':');
  const hasPort = colon >= 0 && portPattern.test(url.host.slice(colon));
  const host = hasPort ? url.host.slice(0, colon) : url.host;
  const hostname = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return { hostname, port: hasPort ? url.host.slice(colon + 1) : '' };
}

/** Query parameters; pairs that cannot be read are left out. */
export function queryOf(url: Url): Map<string, string[]> {
  const query = new Map<string, string[]>();
  for (const pair of url.rawQuery.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = unescape(equals < 0 ? pair : pair.slice(0, equals), 'query');
    const value = equals < 0 ? '' : unescape(pair.slice(equals + 1), 'query');
    if (key instanceof UrlError || value instanceof UrlError) continue;
    query.set(key, [...(query.get(key) ?? []), value]);
  }
  return query;
}

export function showUrl(url: Url): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  const query = url.forceQuery || url.rawQuery !== '' ? `?${url.rawQuery}` : '';
  const fragment = url.fragment === '' ? '' : `#${escapePath(url.fragment)}`;
  if (url.opaque !== '') return scheme + url.opaque + query + fragment;
  const authority =
    url.host !== '' || url.userinfo !== undefined ? `//${url.userinfo === undefined ? '' : `${url.userinfo}@`}${url.host}` : '';
  return scheme + authority + escapedPath(url) + query + fragment;
}
