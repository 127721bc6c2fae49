import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import type { KeyPair, RunningApiServer } from '../../src/index.ts';

export interface RawRequest {
  /** bytes and text as they are; anything else as JSON */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** default: the admin */
  readonly as?: 'admin' | 'nobody';
  /** a stream is read until this was in it, else until it ends */
  readonly until?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** What a client must know of a server; `authority` is the certificate to trust. */
export type ServerAddress = Pick<RunningApiServer, 'url' | 'admin'> & { readonly authority: Pick<KeyPair, 'certificate'> };

/** Requests as they go over the wire, for tests of the wire. */
export class RawClient implements AsyncDisposable {
  readonly #server: ServerAddress;
  readonly #agents: Readonly<Record<'admin' | 'nobody', Agent>>;

  constructor(server: ServerAddress) {
    const ca = server.authority.certificate;
    this.#server = server;
    this.#agents = {
      admin: new Agent({ ca, cert: server.admin.certificate, key: server.admin.key, keepAlive: true }),
      nobody: new Agent({ ca, keepAlive: true }),
    };
  }

  get url(): string {
    return this.#server.url;
  }

  get agent(): Agent {
    return this.#agents.admin;
  }

  call(method: string, path: string, { body, headers = {}, as = 'admin', until }: RawRequest = {}): Promise<RawAnswer> {
    const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    // node:http frames a body by itself only for methods that usually have one
    const framed = bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(bytes)) };
    const sent = { ...framed, ...headers };
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agents[as], headers: sent };
      const outgoing = request(`${this.#server.url}${path}`, options, (answer) => {
        const parts: Buffer[] = [];
        const finish = (): void => {
          const whole = Buffer.concat(parts);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: whole, text: whole.toString() });
        };
        answer.on('data', (part: Buffer) => {
          parts.push(part);
          // What is looked for may come in two parts.
          if (until === undefined || !Buffer.concat(parts.slice(-2)).includes(until)) return;
          finish();
          answer.destroy();
        });
        answer.on('error', reject);
        answer.on('end', finish);
      });
      outgoing.on('error', reject);
      outgoing.end(bytes);
    });
  }

  /** The body of a response as JSON. */
  async json<T>(method: string, path: string, options: RawRequest = {}): Promise<T> {
    return JSON.parse((await this.call(method, path, options)).text) as T;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}
