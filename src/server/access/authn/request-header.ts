// Upstream: apiserver/pkg/authentication/request/headerrequest/requestheader.go
import type { Connection } from '../../http/connection.ts';
import type { IncomingHeaders } from '../../http/request.ts';
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
  const [userHeaders, uidHeaders, groupHeaders, extraPrefixes] = [
    options.userHeaders,
    options.uidHeaders,
    options.groupHeaders,
    options.extraPrefixes,
  ].map((names) => names.map((name) => name.trim().toLowerCase())) as [string[], string[], string[], string[]];
  const proxies = new WeakMap<Connection, { pool: CertificatePool; error: unknown }>();
  return ({ source: { connection, headers } }) => {
    const leaf = connection.peerCertificate;
    if (leaf === undefined) return undefined;
    const name = firstValue(headers, userHeaders);
    if (name === '') return undefined;
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
    return {
      name,
      uid: firstValue(headers, uidHeaders),
      groups: groupHeaders.flatMap((header) => valuesOf(headers, header)),
      extra: extraOf(headers, extraPrefixes),
    };
  };
}

function extraOf(headers: IncomingHeaders, prefixes: readonly string[]): Record<string, string[]> {
  const extra: Record<string, string[]> = {};
  for (const header of Object.keys(headers)) {
    const prefix = prefixes.find((one) => header.startsWith(one));
    if (prefix === undefined) continue;
    const key = unescapeKey(header.slice(prefix.length));
    extra[key] = [...(extra[key] ?? []), ...valuesOf(headers, header)];
  }
  return extra;
}

/** Malformed escapes are kept as they are: nothing a proxy says is lost. */
function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function firstValue(headers: IncomingHeaders, names: readonly string[]): string {
  for (const name of names) {
    const [value] = valuesOf(headers, name);
    if (value !== undefined) return value;
  }
  return '';
}

/** node joins repeated headers with commas, which groups and extra values do not contain. */
function valuesOf(headers: IncomingHeaders, name: string): string[] {
  const value = headers[name];
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : value.split(',')).map((one) => one.trim()).filter((one) => one !== '');
}
