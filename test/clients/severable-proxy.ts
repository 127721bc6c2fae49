import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** Passes connections on to a port on loopback, until it is severed: then it ends them all and takes no more until mended. */
export class SeverableProxy implements Disposable {
  readonly #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #severed = false;

  private constructor(target: number, server: Server) {
    this.#target = target;
    this.#server = server;
  }

  static async start(target: number): Promise<SeverableProxy> {
    const server = createServer();
    const proxy = new SeverableProxy(target, server);
    server.on('connection', (socket) => proxy.#accept(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return address.port;
  }

  sever(): void {
    this.#severed = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#severed = false;
  }

  [Symbol.dispose](): void {
    this.sever();
    this.#server.close();
  }

  #accept(socket: Socket): void {
    if (this.#severed) {
      socket.destroy();
      return;
    }
    const onward = connect(this.#target, '127.0.0.1');
    const end = (): void => {
      for (const one of [socket, onward]) {
        this.#sockets.delete(one);
        one.destroy();
      }
    };
    for (const one of [socket, onward]) {
      this.#sockets.add(one);
      one.on('error', end).on('close', end);
    }
    socket.pipe(onward).pipe(socket);
  }
}
