// Upstream: k8s.io/apiserver/pkg/authentication/request/headerrequest/requestheader.go
import type { CertificatePool } from '../../../base/x509/certificate-pool.ts';
import type { HeaderLines } from '../../http/header-lines.ts';
import { firstHeaderValue, headerLines, headerValues, prefixedHeaderValues } from '../../http/header-lines.ts';
import type { RequestSource } from '../../http/request.ts';
import type { UserInfo } from '../../request/user.ts';
import type { Authenticator } from './authenticator.ts';
import type { Verdict } from './peer-certificate.ts';
import { peerVerifier } from './peer-certificate.ts';

export interface RequestHeaderOptions {
  readonly authorities: () => CertificatePool;
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
  const { authorities, allowedNames, now } = options;
  const userHeaders = lowerCase(options.userHeaders);
  const uidHeaders = lowerCase(options.uidHeaders);
  const groupHeaders = lowerCase(options.groupHeaders);
  const extraPrefixes = lowerCase(options.extraPrefixes);
  const verdictOf = peerVerifier(authorities, now);
  const userOf = (verdict: Verdict, source: RequestSource): UserInfo | undefined => {
    if ('error' in verdict) throw verdict.error;
    const { commonName } = verdict.certificate.subject;
    if (allowedNames.length > 0 && !allowedNames.includes(commonName)) {
      throw new Error(`x509: subject with cn=${commonName} is not in the allowed list`);
    }
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
  return ({ source }) => {
    const verdict = verdictOf(source.connection);
    if (verdict === undefined) return undefined;
    return verdict instanceof Promise ? verdict.then((settled) => userOf(settled, source)) : userOf(verdict, source);
  };
}

/** Whether a header (lower case) is one of those that front proxies say who their clients are with. */
export function frontProxyHeaders(options: Omit<RequestHeaderOptions, 'authorities' | 'allowedNames' | 'now'>): (name: string) => boolean {
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
