import { once } from 'node:events';
import { connect } from 'node:tls';
import type { SocketConstructorOpts } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Http2ClientConnection } from '../../src/base/http2/client-connection.ts';
import type { ClientStream, ClientStreamUser } from '../../src/base/http2/client-stream.ts';
import type { Credentials } from '../servers/api-server-process.ts';

/** Go's client opens its windows as far; else a large response waits for the benchmark instead of the server. */
const limits = { streamWindow: 4 << 20, connectionWindow: 64 << 20, maxHeaderListSize: 1 << 20 };
const newLine = 10;
/** What is read is looked at at once: one buffer for all, where a buffer for each piece made the benchmark collect garbage most of the time. */
const read = Buffer.allocUnsafeSlow(64 << 10);

interface Body {
  readonly type: string;
  readonly bytes: string;
}

/**
 * One HTTP/2 connection, as one client of the API has. It costs the machine as little as it can: a generator that is slower than the server lets it sleep between
 * requests, and what is measured then is how it wakes up.
 */
export class Client {
  readonly #connection: Http2ClientConnection;
  readonly #url: string;
  readonly #fields: readonly string[];

  private constructor(connection: Http2ClientConnection, url: string, authority: string) {
    this.#connection = connection;
    this.#url = url;
    this.#fields = [':scheme', 'https', ':authority', authority];
  }

  static async connect(url: string, credentials: Credentials): Promise<Client> {
    const { hostname, port, host } = new URL(url);
    // The types do not know that `onread` is an option here, too.
    const options: ConnectionOptions & Pick<SocketConstructorOpts, 'onread'> = {
      ...credentials,
      host: hostname,
      port: Number(port),
      ALPNProtocols: ['h2'],
      onread: { buffer: read, callback: (length) => socket.push(read.subarray(0, length)) },
    };
    const socket = connect(options).setNoDelay();
    await once(socket, 'secureConnect');
    // Why a connection was lost is said by the streams on it.
    const connection = new Http2ClientConnection(socket, limits, { retired: () => undefined, closed: () => undefined });
    return new Client(connection, url, host);
  }

  /** With TLS 1.3 the server is done with the handshake after the client. Resolves when both are. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.#connection.ping(resolve));
  }

  /** Resolves with the number of bytes of the response, which is read and dropped unless it is an error. */
  async request(
    method: string,
    path: string,
    body?: Body,
    accept = 'application/json',
    more: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const response = new ReadResponse();
    this.#open(response, method, path, body, ['accept', accept, ...Object.entries(more).flat()]);
    const { status, length, text } = await response.whole;
    if (isError(status)) throw new Error(`${method} ${this.#url}${path}: ${status} ${text}`);
    return length;
  }

  /** Opens a JSON watch and calls once for each event. Resolves when the server has accepted it. */
  async watch(path: string, onEvent: () => void): Promise<void> {
    const response = new WatchResponse(onEvent);
    this.#open(response, 'GET', path, undefined, ['accept', 'application/json']);
    const status = await response.accepted;
    if (status !== 200) throw new Error(`GET ${path}: ${status}`);
  }

  close(): void {
    this.#connection.destroy(new Error('closed by the benchmark'));
  }

  #open(response: OpenResponse, method: string, path: string, body: Body | undefined, more: readonly string[]): void {
    const fields = [':method', method, ...this.#fields, ':path', path, ...more];
    const bytes = body && Buffer.from(body.bytes);
    // As Go's client does.
    if (body !== undefined) fields.push('content-type', body.type, 'content-length', String(bytes?.length));
    response.stream = this.#connection.open(fields, response, bytes === undefined);
    if (bytes !== undefined) response.stream.write(bytes, true);
  }
}

function isError(status: number): boolean {
  return status < 200 || status >= 300;
}

abstract class OpenResponse implements ClientStreamUser {
  stream: ClientStream | undefined;
  status = 0;

  headers(lines: readonly string[]): void {
    if (this.status === 0) this.status = Number(lines[lines.indexOf(':status') + 1]);
  }

  data(piece: Buffer): void {
    this.stream?.giveBack(piece.length);
  }

  abstract closed(code: number): void;
}

class ReadResponse extends OpenResponse {
  readonly #whole = Promise.withResolvers<this>();
  length = 0;
  /** of an error */
  text = '';

  get whole(): Promise<this> {
    return this.#whole.promise;
  }

  override data(piece: Buffer): void {
    super.data(piece);
    this.length += piece.length;
    if (isError(this.status)) this.text += piece.toString('utf8', 0, 1000);
  }

  closed(code: number): void {
    if (code === 0) this.#whole.resolve(this);
    else this.#whole.reject(new Error(`the stream was reset with code ${code}`));
  }
}

class WatchResponse extends OpenResponse {
  readonly #accepted = Promise.withResolvers<number>();
  readonly #onEvent: () => void;

  constructor(onEvent: () => void) {
    super();
    this.#onEvent = onEvent;
  }

  get accepted(): Promise<number> {
    return this.#accepted.promise;
  }

  override headers(lines: readonly string[]): void {
    super.headers(lines);
    this.#accepted.resolve(this.status);
  }

  override data(piece: Buffer): void {
    super.data(piece);
    for (let at = piece.indexOf(newLine); at >= 0; at = piece.indexOf(newLine, at + 1)) this.#onEvent();
  }

  closed(): void {
    this.#accepted.reject(new Error('the connection ended'));
  }
}
