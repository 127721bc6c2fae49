import { once } from 'node:events';
import { connect } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { Credentials } from '../servers/api-server-process.ts';

/** One HTTP/2 connection, as one client of the API has. */
export class Client {
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  static async connect(url: string, credentials: Credentials): Promise<Client> {
    const session = connect(url, { ...credentials, settings: { initialWindowSize: 4 << 20 } });
    // Go's client opens its windows as far; else a large response waits for the benchmark instead of the server.
    session.once('connect', () => session.setLocalWindowSize(64 << 20));
    await once(session, 'connect');
    return new Client(session);
  }

  /** With TLS 1.3 the server is done with the handshake after the client. Resolves when both are. */
  settled(): Promise<void> {
    return new Promise((resolve, reject) => this.#session.ping((error) => (error === null ? resolve() : reject(error))));
  }

  /** Resolves with the number of bytes of the response, which is read and dropped. */
  request(
    method: string,
    path: string,
    body?: { readonly type: string; readonly bytes: string },
    accept = 'application/json',
    more: OutgoingHttpHeaders = {},
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers: OutgoingHttpHeaders = { ':method': method, ':path': path, accept, ...more };
      const bytes = body === undefined ? undefined : Buffer.from(body.bytes);
      if (body !== undefined) headers['content-type'] = body.type;
      // As Go's client does.
      if (bytes !== undefined) headers['content-length'] = bytes.length;
      const stream = this.#session.request(headers, { endStream: body === undefined });
      let [status, length] = [0, 0];
      stream.on('response', (answer) => (status = Number(answer[':status'])));
      stream.on('data', (chunk: Buffer) => (length += chunk.length));
      stream.on('end', () => (status < 300 ? resolve(length) : reject(new Error(`${method} ${path}: ${status}`))));
      stream.on('error', reject);
      if (body !== undefined) stream.end(bytes);
    });
  }

  /** Opens a JSON watch and calls once for each event. Resolves when the server has accepted it. */
  async watch(path: string, onEvent: () => void): Promise<ClientHttp2Stream> {
    const stream = this.#session.request({ ':method': 'GET', ':path': path, accept: 'application/json' });
    stream.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) onEvent();
    });
    const ended = once(stream, 'close').then(() => Promise.reject(new Error(`GET ${path}: the connection ended`)));
    const [answer] = (await Promise.race([once(stream, 'response'), ended])) as [Record<string, unknown>];
    if (answer[':status'] !== 200) throw new Error(`GET ${path}: ${String(answer[':status'])}`);
    return stream;
  }

  close(): void {
    this.#session.destroy();
  }
}
