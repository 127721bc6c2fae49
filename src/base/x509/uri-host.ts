// Upstream: std/net/url/url.go#Parse, std/crypto/x509/constraints.go#parseURIs
import { isIP, isIPv6 } from 'node:net';
import { MalformedError } from './der-reader.ts';
import { isDomainName } from './domain-name.ts';

const hostCharacters = /^[A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~]*$/;
const userCharacters = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;

/** Host and port of a URI ('' when it has none), as Go reads them. Throws when it cannot. */
export function uriHost(uri: string): string {
  const host = hostOf(uri);
  if (host === undefined || !isDomainName(host, false)) throw new MalformedError(`x509: cannot parse URI ${JSON.stringify(uri)}`);
  return host;
}

function hostOf(uri: string): string | undefined {
  if (/[\x00-\x1f\x7f]/.test(uri)) return undefined;
  const [whole = '', fragment = ''] = cut(uri, '#');
  if (!isEscaped(fragment)) return undefined;
  const [, scheme, after] = /^([A-Za-z][A-Za-z0-9+\-.]*):(.*)$/s.exec(whole) ?? [];
  if (scheme === undefined && whole.startsWith(':')) return undefined;
  const [rest = ''] = cut(after ?? whole, '?');
  if (!rest.startsWith('/')) {
    if (scheme !== undefined) return '';
    return (cut(rest, '/')[0] ?? '').includes(':') || !isEscaped(rest) ? undefined : '';
  }
  if (!rest.startsWith('//') || (scheme === undefined && rest.startsWith('///'))) return isEscaped(rest) ? '' : undefined;
  const [, authority = '', path = ''] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [];
  return isEscaped(path) ? authorityHost(authority, scheme?.toLowerCase() ?? '') : undefined;
}

function authorityHost(authority: string, scheme: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  if (!userCharacters.test(user) || !isEscaped(user)) return undefined;
  const host = authority.slice(at + 1);
  if (host.lastIndexOf('[') > 0) return undefined;
  if (host.startsWith('[')) {
    const [, address = '', port] = /^\[(.*)\]([^\]]*)$/s.exec(host) ?? [];
    const unescaped = unescapeHost(address.replace(/%25.*$/s, ''));
    return port !== undefined && isPort(port) && unescaped !== undefined && isIPv6(unescaped) ? host : undefined;
  }
  const isStrict = scheme === 'http' || scheme === 'https';
  const colon = isStrict ? host.indexOf(':') : host.lastIndexOf(':');
  return colon >= 0 && !isPort(host.slice(colon)) ? undefined : unescapeHost(host);
}

function isPort(text: string): boolean {
  return /^(:\d*)?$/.test(text);
}

function isEscaped(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}

/** Only bytes beyond ASCII may be escaped, and the percent sign itself. */
function unescapeHost(host: string): string | undefined {
  if (!hostCharacters.test(host.replaceAll(/%(25|[89A-Fa-f][0-9A-Fa-f])/g, ''))) return undefined;
  return host.replaceAll(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function cut(text: string, at: string): [string, string?] {
  const index = text.indexOf(at);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

/** The domain of a URI's host; undefined when constraints cannot be about it: it has none, or is an address. */
export function constrainedDomain(hostAndPort: string): string | undefined {
  const host = hostAndPort.toLowerCase();
  const domain = host.includes(':') && !host.endsWith(']') ? /^([^:[\]]*):[^:]*$/.exec(host)?.[1] : host;
  return domain === undefined || domain === '' || domain.startsWith('[') || isIP(domain) !== 0 ? undefined : domain;
}
