// Upstream: apiserver/pkg/authentication/request/headerrequest/requestheader.go
import type { Connection } from '../../http/connection.ts';
import type { HeaderLines } from '../../http/header-lines.ts';
import { firstHeaderValue, headerLines, headerValues, prefixedHeaderValues } from '../../http/header-lines.ts';
import type { Authenticator } from './authenticator.ts';
import type { CertificatePool } from './x509.ts';
import { subjectOf } from './x509.ts';

export interface RequestHeaderOptions {
  readonly pool: () => CertificatePool;
  /** common names of proxies; any if empty */
  readonly allowedNames: readonly string[];
  readonly userHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
  readonly now: () => number;
}

/** A front proxy, known by its certificate, says in headers who its client is. */
export function requestHeaderAuthenticator(options: RequestHeaderOptions): Authenticator {
  const { pool, allowedNames, now } = options;
  const userHeaders = lowerCase(options.userHeaders);
  const uidHeaders = lowerCase(options.uidHeaders);
  const groupHeaders = lowerCase(options.groupHeaders);
  const extraPrefixes = lowerCase(options.extraPrefixes);
  const proxies = new WeakMap<Connection, { pool: CertificatePool; error: unknown }>();
  return ({ source }) => {
    const { connection } = source;
    const leaf = connection.peerCertificate;
    if (leaf === undefined) return undefined;
    let known = proxies.get(connection);
    if (known?.pool !== pool()) {
      known = { pool: pool(), error: undefined };
      try {
        known.pool.verify(leaf, connection.intermediates, now());
        const { CN } = subjectOf(leaf);
        if (allowedNames.length > 0 && !allowedNames.includes(CN))
          throw new Error(`x509: subject with cn=${CN} is not in the allowed list`);
      } catch (error) {
        known.error = error;
      }
      proxies.set(connection, known);
    }
    if (known.error !== undefined) throw known.error;
    const lines = headerLines(source);
    const name = firstNonEmpty(lines, userHeaders);
    if (name === '') return undefined;
    return {
      name,
      uid: firstNonEmpty(lines, uidHeaders),
      groups: groupHeaders.flatMap((header) => headerValues(lines, header)).filter((group) => group !== ''),
      extra: Object.fromEntries(prefixedHeaderValues(lines, extraPrefixes)),
    };
  };
}

/** Whether a header (lower case) is one of those that front proxies say who their clients are with. */
export function frontProxyHeaders(options: Omit<RequestHeaderOptions, 'pool' | 'allowedNames' | 'now'>): (name: string) => boolean {
  const names = new Set([options.userHeaders, options.uidHeaders, options.groupHeaders].flatMap(lowerCase));
  const prefixes = lowerCase(options.extraPrefixes);
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

function lowerCase(names: readonly string[]): string[] {
  return names.map((name) => name.trim().toLowerCase());
}

/** Of headers, the first whose first line says something. */
function firstNonEmpty(lines: HeaderLines, names: readonly string[]): string {
  for (const name of names) {
    const value = firstHeaderValue(lines, name);
    if (value !== '') return value;
  }
  return '';
}
