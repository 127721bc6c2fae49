// Upstream: k8s.io/apiserver/pkg/server/routes/debugsocket.go
import { lstat, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Connection } from './connection.ts';
import type { Http1Exchange } from './http1.ts';
import { Http1Server } from './http1-server.ts';
import { Request } from './request.ts';
import { parseTarget } from './request-target.ts';
import type { Handler } from './response.ts';

/** HTTP on a unix socket, for those who may open it: no other credentials are asked for. */
export class DebugSocket {
  readonly #path: string;
  readonly #http: Http1Server;
  readonly #server: Server;

  constructor(path: string, handler: Handler, onError: (error: unknown) => void) {
    this.#path = path;
    const connection = new Connection(undefined);
    this.#http = new Http1Server({ connectionOf: () => connection, serve: (exchange) => serve(exchange, handler, onError) });
    this.#server = createServer((socket) => this.#http.accept(socket as TLSSocket));
  }

  async listen(): Promise<void> {
    await removeSocket(this.#path);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ path: this.#path }, resolve);
    });
  }

  async close(): Promise<void> {
    this.#http.retire();
    this.#http.close();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** What an earlier process has left. Only a socket: a file of that name is not ours to remove. */
async function removeSocket(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isSocket()) await rm(path);
}

async function serve(exchange: Http1Exchange, handler: Handler, onError: (error: unknown) => void): Promise<void> {
  try {
    const target = parseTarget(exchange.method, exchange.target);
    if (target === undefined) return exchange.refuse();
    const response = await handler(new Request(exchange, performance.now(), target));
    await exchange.send(response, { ...response.headers });
  } catch (error) {
    onError(error);
    exchange.fail();
  }
}
