/** A proxy that takes CONNECT, for tests. Remembers where it was asked to connect to. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, ListenOptions } from 'node:net';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { KeyPair } from '../../src/base/tls/certificate.ts';

export class ConnectProxy implements AsyncDisposable {
  readonly asked: string[] = [];
  /** what it says to those who ask; 200 unless a test wants it otherwise */
  status = '200 Connection established';
  readonly #server;
  readonly #sockets = new Set<Duplex>();

  constructor(tls?: { pair: KeyPair; clientAuthority: string }) {
    this.#server =
      tls === undefined
        ? createServer()
        : createSecureServer({ cert: tls.pair.certificate, key: tls.pair.key, ca: tls.clientAuthority, requestCert: true });
    this.#server.on('connect', (request: IncomingMessage, socket: Duplex) => {
      const target = request.url ?? '';
      this.asked.push(target);
      socket.on('error', () => undefined);
      this.#sockets.add(socket);
      if (!this.status.startsWith('200')) {
        socket.end(`HTTP/1.1 ${this.status}\r\n\r\n`);
        return;
      }
      const at = target.lastIndexOf(':');
      const remote = connect({ host: target.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(target.slice(at + 1)) }, () => {
        socket.write(`HTTP/1.1 ${this.status}\r\n\r\n`);
        socket.pipe(remote).pipe(socket);
      });
      this.#sockets.add(remote);
      remote.on('error', () => socket.destroy());
      socket.on('close', () => remote.destroy());
    });
  }

  async listen(options: ListenOptions = { port: 0, host: '127.0.0.1' }): Promise<number> {
    this.#server.listen(options);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? (address as AddressInfo).port : 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}
