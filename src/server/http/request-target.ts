// Upstream: std/net/url/url.go#ParseRequestURI, #ParseQuery, std/net/http/request.go#readRequest
import { headerText } from './header-text.ts';

export interface RequestTarget {
  /** decoded; bytes that are no UTF-8 as `headerText` has them */
  readonly path: string;
  readonly rawQuery: string;
}

/** What a request asks for, in any of the forms that HTTP has for it; undefined: it has none of them. */
export function parseTarget(method: string, target: string): RequestTarget | undefined {
  const mark = target.indexOf('?');
  const whole = mark < 0 ? target : target.slice(0, mark);
  const rawQuery = mark < 0 ? '' : target.slice(mark + 1);
  const raw = whole.startsWith('/') || whole === '*' ? whole : foreignPath(method, whole);
  const path = raw === undefined ? undefined : decodePath(raw);
  return path === undefined ? undefined : { path, rawQuery };
}

/** CONNECT names a host instead of a path; a client that takes us for a proxy puts scheme and host before it. */
function foreignPath(method: string, target: string): string | undefined {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(target);
  if (absolute !== null) return target.slice(absolute[0].length);
  return method === 'CONNECT' ? '' : undefined;
}

function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return headerText(path);
  if (badEscape.test(path)) return undefined;
  const bytes = path.replaceAll(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return headerText(bytes);
}

const badEscape = /%(?![0-9a-f]{2})/i;

/** what most requests ask with; queries are not changed */
const noParameters = new URLSearchParams();

const longQuery = 4096;
/** Go refuses queries with more. */
const mostParameters = 10_000;

/** The parameters of a query. As in Go, those with a bad escape or a semicolon do not count. */
export function parseQuery(rawQuery: string): URLSearchParams {
  if (rawQuery === '') return noParameters;
  if (rawQuery.length < longQuery && !rawQuery.includes(';') && !badEscape.test(rawQuery)) return new URLSearchParams(rawQuery);
  const good = rawQuery
    .split('&', mostParameters)
    .filter((parameter) => parameter !== '' && !parameter.includes(';') && !badEscape.test(parameter))
    // Without a value each takes Node as long as there are others: seconds for a header full of them.
    .map((parameter) => (parameter.includes('=') ? parameter : `${parameter}=`));
  return new URLSearchParams(good.join('&'));
}
