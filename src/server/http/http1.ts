// One HTTP/1.1 request as a request source and a place to send the response to.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Connection } from './connection.ts';
import { collectBody } from './body.ts';
import type { IncomingHeaders, RequestSource } from './request.ts';
import type { OutgoingHeaders, Response } from './response.ts';
import { WritableSink } from './sink.ts';

export class Http1Exchange implements RequestSource {
  readonly method: string;
  readonly target: string;
  readonly protocol = 'HTTP/1.1' as const;
  readonly headers: IncomingHeaders;
  readonly lines: readonly string[];
  readonly connection: Connection;
  readonly #message: IncomingMessage;
  readonly #out: ServerResponse;

  constructor(message: IncomingMessage, out: ServerResponse, connection: Connection) {
    this.#message = message;
    this.#out = out;
    this.method = message.method ?? 'GET';
    this.target = message.url ?? '/';
    this.headers = message.headers;
    this.lines = message.rawHeaders;
    this.connection = connection;
  }

  readBody(limit: number): Promise<Buffer | undefined> {
    return collectBody(this.#message, limit, this.headers['content-length']);
  }

  get body(): Readable | undefined {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = this.headers;
    return length === '0' && encoding === undefined ? undefined : this.#message;
  }

  onClose(callback: () => void): void {
    if (this.#out.destroyed) callback();
    else this.#out.once('close', callback);
  }

  async send(response: Response, headers: OutgoingHeaders): Promise<void> {
    const out = this.#out;
    if (out.destroyed) return;
    const { body } = response;
    if (body === undefined || this.method === 'HEAD') {
      out.writeHead(response.status, headers).end();
    } else if (Buffer.isBuffer(body)) {
      out.writeHead(response.status, { ...headers, 'content-length': body.length }).end(body);
    } else {
      out.writeHead(response.status, headers);
      out.flushHeaders();
      await body(new WritableSink(out));
      out.end();
    }
  }

  fail(): void {
    this.#out.destroy();
  }
}
