// Upstream: k8s.io/apimachinery/pkg/util/proxy/transport.go#rewriteURL, std/net/url
import { posix } from 'node:path';

/** Names relative to which a proxied server speaks of itself. */
export interface ProxiedPlace {
  /** what comes before the server's own paths in ours */
  readonly prefix: string;
  /** the server's name and port */
  readonly host: string;
  /** the name that the client knows this server by */
  readonly requestHost: string;
}

const parts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s;

/** A link of a proxied server's page, so that it leads through the proxy again. Links to others, and relative ones, need no change. */
export function proxiedUrl(link: string, { prefix, host: own, requestHost }: ProxiedPlace): string {
  const [, scheme, host = '', path = '', rest = ''] = parts.exec(link) ?? [];
  const isElsewhere = host !== '' && host !== own && host !== requestHost;
  if (isElsewhere || !path.startsWith('/')) return link;
  const server = host !== '' && host === requestHost ? `${scheme === undefined ? '' : `${scheme}:`}//${host}` : '';
  return `${server}${path.startsWith(prefix) ? path : joinPaths(prefix, path)}${rest}`;
}

/** Joined and cleaned; a slash at the end stays. */
export function joinPaths(...paths: readonly string[]): string {
  const given = paths.filter((path) => path !== '');
  if (given.length === 0) return '';
  const joined = posix.join(...given).replace(/(?<=.)\/$/, '');
  return given.at(-1)?.endsWith('/') === true && !joined.endsWith('/') ? `${joined}/` : joined;
}

/** A path as it stands in a request. */
export function escapePath(path: string): string {
  return encodeURI(path).replace(/[!'()*?#]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
