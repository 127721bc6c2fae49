// Upstream: k8s.io/apiserver/pkg/cel/library/urls.go, k8s.io/apiserver/pkg/cel/url.go

import { ArrayList, EntryMap } from '../collections.ts';
import type { Library } from '../declarations.ts';
import { declare, member, overload } from '../declarations.ts';
import { boolType, listOf, mapOf, stringType as string, structType } from '../types.ts';
import type { Truth, Value } from '../values.ts';
import { CelError, CelObject, noSuchOverload } from '../values.ts';
import type { Url } from './url.ts';
import { escapedPath, hostParts, parseUrl, queryOf, showUrl, UrlError } from './url.ts';

export const urlType = structType('kubernetes.URL');

class UrlValue extends CelObject {
  readonly type = urlType;
  readonly url: Url;

  constructor(url: Url) {
    super();
    this.url = url;
  }

  equals(other: Value): Truth {
    return other instanceof UrlValue ? showUrl(this.url) === showUrl(other.url) : noSuchOverload;
  }
}

function toUrl(text: string): Value {
  const request = parseUrl(text, true);
  const url = request instanceof UrlError ? request : parseUrl(text, false);
  return url instanceof UrlError ? new CelError(`URL parse error during conversion from string: ${url.message}`) : new UrlValue(url);
}

const part = (name: string, id: string, read: (url: Url) => string) =>
  declare(
    name,
    member(id, [urlType], string, (value: UrlValue) => read(value.url)),
  );

export const urlsLibrary: Library = {
  name: 'kubernetes.urls',
  functions: [
    declare('url', overload('string_to_url', [string], urlType, toUrl)),
    part('getScheme', 'url_get_scheme', (url) => url.scheme),
    part('getHost', 'url_get_host', (url) => url.host),
    part('getHostname', 'url_get_hostname', (url) => hostParts(url).hostname),
    part('getPort', 'url_get_port', (url) => hostParts(url).port),
    part('getEscapedPath', 'url_get_escaped_path', escapedPath),
    declare(
      'getQuery',
      member(
        'url_get_query',
        [urlType],
        mapOf(string, listOf(string)),
        (value: UrlValue) => new EntryMap([...queryOf(value.url)].map(([key, values]) => [key, new ArrayList(values)])),
      ),
    ),
    declare(
      'isURL',
      overload('is_url_string', [string], boolType, (text: string) => !(parseUrl(text, true) instanceof UrlError)),
    ),
  ],
};
