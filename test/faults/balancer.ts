import { once } from 'node:events';
import { request } from 'node:https';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Credentials } from '../servers/api-server-process.ts';

const probeMs = 200;

/** A plain balancer of TCP connections: a new one goes to the next server whose /readyz says so; those that are open stay where they are. */
export class Balancer implements Disposable {
  readonly #ports: readonly number[];
  readonly #credentials: Credentials;
  readonly #server: Server;
  readonly #ready = new Set<number>();
  readonly #sockets = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;
  #next = 0;

  private constructor(ports: readonly number[], credentials: Credentials, server: Server) {
    this.#ports = ports;
    this.#credentials = credentials;
    this.#server = server;
    server.on('connection', (socket) => this.#accept(socket));
    this.#timer = setInterval(() => this.#probe(), probeMs);
  }

  static async start(ports: readonly number[], credentials: Credentials): Promise<Balancer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const balancer = new Balancer(ports, credentials, server);
    balancer.#probe();
    return balancer;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the balancer does not listen');
    return address.port;
  }

  get readyCount(): number {
    return this.#ready.size;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #probe(): void {
    for (const port of this.#ports) {
      const asked = request(`https://127.0.0.1:${port}/readyz`, { ...this.#credentials, agent: false, timeout: 1000 }, (response) => {
        response.resume();
        if (response.statusCode === 200) this.#ready.add(port);
        else this.#ready.delete(port);
      });
      asked.on('timeout', () => asked.destroy());
      asked.on('error', () => this.#ready.delete(port));
      asked.end();
    }
  }

  #accept(socket: Socket): void {
    const ready = this.#ports.filter((port) => this.#ready.has(port));
    const port = ready[this.#next++ % ready.length];
    if (port === undefined) {
      socket.destroy();
      return;
    }
    const onward = connect(port, '127.0.0.1');
    for (const one of [socket, onward]) {
      this.#sockets.add(one);
      one.on('close', () => this.#sockets.delete(one));
    }
    // Each side ends when the other has said everything.
    socket.on('error', () => onward.destroy()).on('close', () => onward.end());
    onward.on('error', () => socket.destroy()).on('close', () => socket.end());
    socket.pipe(onward).pipe(socket);
  }
}
