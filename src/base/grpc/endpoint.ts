// Upstream: go.etcd.io/etcd/client/v3/internal/endpoint/endpoint.go
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Dial } from '../https/dial.ts';
import { DialedSocket } from '../https/dialed-socket.ts';
import { connectPlain } from './plain-socket.ts';

/** Where to find one server: `http://host:port`, `https://host:port`, `host:port`, `unix:///path`, `unix:path`. */
export interface Endpoint {
  /** as the user wrote it, for messages */
  readonly name: string;
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** set for unix sockets; a leading `@` means Linux' abstract namespace */
  readonly socketPath?: string;
}

/** Files or contents are re-read per connection, so that rotated certificates take effect without a restart. */
export interface ClientTls {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  /** name to verify instead of the endpoint's host */
  readonly serverName?: string;
}

export function parseEndpoint(text: string, defaultSecure = false): Endpoint {
  const unix = /^(unixs?):(?:\/\/)?(.+)$/.exec(text);
  if (unix !== null) {
    const path = unix[2] as string;
    const socketPath = path.startsWith('/@') ? path.slice(1) : path;
    return { name: text, secure: unix[1] === 'unixs', host: 'localhost', port: 0, socketPath };
  }
  const withScheme = text.includes('://') ? text : `${defaultSecure ? 'https' : 'http'}://${text}`;
  const url = URL.parse(withScheme);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    throw new Error(`invalid endpoint ${JSON.stringify(text)}: expected http://host:port, https://host:port or unix:///path`);
  }
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { name: text, secure, host, port: Number(url.port) || (secure ? 443 : 80) };
}

/** What goes into the `:authority` header. */
export function authorityOf(endpoint: Endpoint): string {
  if (endpoint.socketPath !== undefined) return 'localhost';
  return `${endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host}:${endpoint.port}`;
}

/** Starts connecting; the caller listens for `connect`/`secureConnect` and `error`. */
export function dial(endpoint: Endpoint, tls: ClientTls | undefined, through?: Dial): Duplex {
  const { socketPath, host, port } = endpoint;
  const address =
    socketPath === undefined ? { host, port } : { path: socketPath.startsWith('@') ? `\0${socketPath.slice(1)}` : socketPath };
  const socket = through === undefined || socketPath !== undefined ? undefined : new DialedSocket(through({ host, port }));
  if (!endpoint.secure) return socket ?? connectPlain(address);
  const read = (file: string | undefined): Buffer | undefined => (file ? readFileSync(file) : undefined);
  const name = tls?.serverName ?? host;
  return connectTls({
    ...(socket === undefined ? address : { socket }),
    host,
    ALPNProtocols: ['h2'],
    ca: read(tls?.caFile),
    // As in Go, whatever is among the authorities is trusted as it is: an intermediate, or the serving certificate itself.
    allowPartialTrustChain: true,
    cert: read(tls?.certFile),
    key: read(tls?.keyFile),
    // SNI must not carry an IP address; the certificate is verified against it all the same.
    servername: /^[\d.]+$|:/.test(name) ? '' : name,
  });
}
