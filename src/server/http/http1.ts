// Upstream: std/net/http/server.go#conn.serve, #response.finishRequest
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Connection } from './connection.ts';
import { collectBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import * as limits from './limits.ts';
import type { IncomingHeaders } from './request.ts';
import type { OutgoingHeaders, Response } from './response.ts';
import { WritableSink } from './sink.ts';

/** One HTTP/1.1 request and the place to send its response to. */
export class Http1Exchange implements Exchange {
  readonly method: string;
  readonly target: string;
  readonly protocol = 'HTTP/1.1' as const;
  readonly headers: IncomingHeaders;
  readonly lines: readonly string[];
  readonly connection: Connection;
  /** the parser refuses those that are */
  readonly oversized = false;
  sendBy: number | undefined;
  readonly #message: IncomingMessage;
  readonly #out: ServerResponse;
  /** the client sends its body when it is asked to */
  #waits: boolean;

  constructor(message: IncomingMessage, out: ServerResponse, connection: Connection, waits = false) {
    this.#message = message;
    this.#out = out;
    this.#waits = waits;
    this.method = message.method ?? 'GET';
    this.target = message.url ?? '/';
    this.headers = message.headers;
    this.lines = message.rawHeaders;
    this.connection = connection;
    out.on('error', () => {}); // the connection broke: those that wait for it get its close event
  }

  get closed(): boolean {
    return this.#out.destroyed;
  }

  readBody(limit: number): Promise<Buffer | undefined> {
    this.#ask();
    return collectBody(this.#message, limit, this.headers['content-length']);
  }

  get body(): Readable | undefined {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = this.headers;
    if (length === '0' && encoding === undefined) return undefined;
    this.#ask();
    return this.#message;
  }

  onClose(callback: () => void): void {
    if (this.#out.destroyed) callback();
    else this.#out.once('close', callback);
  }

  async send(response: Response, headers: OutgoingHeaders): Promise<void> {
    const out = this.#out;
    if (out.destroyed) return;
    const { body } = response;
    this.#settleConnection(headers);
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
    // It may have let go of the connection already, with a response that is not read.
    this.#message.socket.destroy();
  }

  refuse(why = ''): void {
    const text = why === '' ? '400 Bad Request' : `400 Bad Request: ${why}`;
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': text.length, connection: 'close' };
    this.#out.writeHead(400, text.slice(4), headers).end(text);
  }

  #ask(): void {
    if (!this.#waits) return;
    this.#waits = false;
    this.#out.writeContinue();
  }

  /** Whether the connection may be used again, which only a connection that may not says. */
  #settleConnection(headers: OutgoingHeaders): void {
    const [message, out] = [this.#message, this.#out];
    if (this.#waits) headers['connection'] = 'close';
    else if (out.shouldKeepAlive && message.httpVersionMinor > 0 && headers['connection'] === undefined) out.removeHeader('connection');
    if (message.complete) return;
    // The client sends a body that no handler reads: a little of it is read for the sake of its next request.
    out.once('finish', () => {
      if (message.complete) return;
      let read = 0;
      const { socket } = message;
      message.on('data', (bytes: Buffer) => {
        read += bytes.length;
        if (read > limits.unwantedBodyBytes) socket.destroy();
      });
      const late = setTimeout(() => socket.destroy(), limits.sendSlackMs).unref();
      message.once('close', () => clearTimeout(late));
    });
  }
}
