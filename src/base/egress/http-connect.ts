// Upstream: k8s.io/apiserver/pkg/server/egressselector/egress_selector.go#tunnelHTTPConnect
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { connect as connectSecurely } from 'node:tls';
import type { Dial, DialAddress } from '../https/dial.ts';
import { hostPort } from '../https/dial.ts';
import { ProxyStageError } from './stages.ts';

/** Where the proxy is. `tls`: it is spoken to over TLS; called for each connection, so that files may change. */
export type ConnectProxy =
  | { readonly host: string; readonly port: number; readonly tls?: () => ConnectionOptions }
  | { readonly socketPath: string };

const headEnd = '\r\n\r\n';
/** of a response's headers, as upstream */
const maxHeadBytes = 1 << 20;

/** Connections through a proxy that takes CONNECT. */
export function httpConnectDial(proxy: ConnectProxy): Dial {
  const proxyName = 'socketPath' in proxy ? proxy.socketPath : hostPort(proxy);
  return async (address, signal) => {
    const socket = await reach(proxy, signal);
    const abort = (): void => void socket.destroy();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      socket.write(`CONNECT ${hostPort(address)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
      await tunnelled(socket, address, proxyName);
      return socket;
    } catch (error) {
      socket.destroy();
      throw new ProxyStageError((error as Error).message, { cause: error });
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  };
}

async function reach(proxy: ConnectProxy, signal: AbortSignal | undefined): Promise<Socket> {
  const secure = 'tls' in proxy && proxy.tls !== undefined ? { ...proxy.tls(), host: proxy.host, port: proxy.port } : undefined;
  const socket =
    secure !== undefined
      ? connectSecurely(secure)
      : connect('socketPath' in proxy ? { path: proxy.socketPath } : { host: proxy.host, port: proxy.port, noDelay: true });
  try {
    await once(socket, secure === undefined ? 'connect' : 'secureConnect', signal && { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Reads the response to CONNECT. What comes behind it is none of it: there is nothing yet that a server could say. */
async function tunnelled(socket: Socket, address: DialAddress, proxyName: string): Promise<void> {
  let head = Buffer.alloc(0);
  const failed = (why: string): Error =>
    new Error(`reading HTTP response from CONNECT to ${hostPort(address)} via proxy ${proxyName} failed: ${why}`);
  while (!head.includes(headEnd)) {
    if (head.length > maxHeadBytes) throw failed('unexpected EOF');
    const chunk: unknown = socket.read();
    if (Buffer.isBuffer(chunk)) head = Buffer.concat([head, chunk]);
    else await more(socket, () => failed(head.length === 0 ? 'EOF' : 'unexpected EOF'));
  }
  const end = head.indexOf(headEnd) + headEnd.length;
  const [line = ''] = head.toString('latin1').split('\r\n', 1);
  const [, code, reason = ''] = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(line) ?? [];
  if (code === undefined) throw failed(`malformed HTTP response ${JSON.stringify(line)}`);
  if (code !== '200')
    throw new Error(`proxy error from ${proxyName} while dialing ${hostPort(address)}, code ${code}: ${code} ${reason}`.trimEnd());
  if (end < head.length)
    throw new Error(`unexpected ${head.length - end} bytes of buffered data from CONNECT proxy ${JSON.stringify(proxyName)}`);
}

async function more(socket: Socket, ended: () => Error): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  const isOver = Promise.race([once(socket, 'end', { signal }), once(socket, 'close', { signal })]).then(() => {
    throw ended();
  });
  try {
    await Promise.race([once(socket, 'readable', { signal }), isOver]);
    if (socket.readableEnded || (socket.readableLength === 0 && socket.destroyed)) throw ended();
  } finally {
    isOver.catch(() => undefined);
    settled.abort();
  }
}
