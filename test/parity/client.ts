import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { Target } from '../support/kubeconfig.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  /** null: not even the header that would be sent by default */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly body?: string | Buffer | undefined;
  /** without the administrator's certificate */
  readonly anonymous?: boolean;
  /** resolves with the headers, and goes on reading lines */
  readonly stream?: boolean;
  readonly rawPath?: boolean;
  readonly timeoutMs?: number;
}

/** The connection broke, or the response did not come in time. */
export interface Failed {
  readonly error: string;
}

export interface Response {
  readonly error?: undefined;
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface EventStream {
  readonly error?: undefined;
  readonly status: 200;
  readonly rawHeaders: readonly string[];
  /** Lines until there are this many, time is up, or the server ends the stream, which is then closed. */
  take(most: number, timeoutMs: number): Promise<string[]>;
  close(): void;
}

const defaultTimeoutMs = 30_000;

/** HTTP/1.1 over TLS, with headers and paths as a case says them. */
export class ParityClient implements Disposable {
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #anonymousAgent: Agent;

  constructor({ url, ca, cert, key }: Target) {
    this.#url = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: 64, ca, cert, key });
    this.#anonymousAgent = new Agent({ keepAlive: true, maxSockets: 16, ca });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
    this.#anonymousAgent.destroy();
  }

  /** Repeats once what met a kept connection that the server had just closed. */
  async ask(asked: Asked): Promise<Response | EventStream | Failed> {
    const first = await this.#send(asked);
    return first === 'stale' ? asResponse(await this.#send(asked)) : first;
  }

  #send({ method, path, headers, body, anonymous, stream, rawPath, timeoutMs = defaultTimeoutMs }: Asked) {
    return new Promise<Response | EventStream | Failed | 'stale'>((resolve) => {
      let outgoing: ClientRequest;
      try {
        outgoing = request({
          host: this.#url.hostname,
          port: this.#url.port,
          method,
          path: rawPath !== true && /[^\x21-\x7e]/.test(path) ? encodeURI(path) : path,
          headers: headersOf(headers, body),
          agent: anonymous === true ? this.#anonymousAgent : this.#agent,
        });
      } catch (error) {
        // Node refuses to send some of the paths and headers that cases have.
        resolve({ error: `client: ${codeOf(error as Error)}` });
        return;
      }
      const timer = setTimeout(() => {
        resolve({ error: 'timeout' });
        outgoing.destroy();
      }, timeoutMs);
      outgoing.on('error', (error) => {
        clearTimeout(timer);
        const code = codeOf(error);
        const isReset = code === 'ECONNRESET' || code === 'EPIPE';
        if (isReset && outgoing.reusedSocket) resolve('stale');
        else resolve({ error: isReset ? 'reset' : code === 'ECONNREFUSED' ? 'refused' : `net: ${code}` });
      });
      outgoing.on('response', (incoming) => {
        const { statusCode: status = 0, rawHeaders } = incoming;
        if (stream === true && status === 200) {
          clearTimeout(timer);
          resolve(eventStream(outgoing, incoming));
          return;
        }
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('end', () => resolve({ status, rawHeaders, body: Buffer.concat(parts) }));
        incoming.on('error', () => resolve({ error: 'reset' }));
        incoming.on('close', () => clearTimeout(timer));
      });
      outgoing.end(body);
    });
  }
}

const asResponse = <Other>(sent: Other | 'stale'): Other | Failed => (sent === 'stale' ? { error: 'reset' } : (sent as Other));
const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? error.message;

function headersOf(given: Asked['headers'], body: Asked['body']): Record<string, string | string[]> {
  const all: Record<string, string | readonly string[] | null> = { accept: 'application/json', 'user-agent': 'diff/1', ...given };
  if (body !== undefined && all['content-length'] === undefined && all['transfer-encoding'] === undefined)
    all['content-length'] = String(Buffer.byteLength(body));
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string | string[]] => entry[1] !== null));
}

function eventStream(outgoing: ClientRequest, incoming: IncomingMessage): EventStream {
  const lines: string[] = [];
  let rest = '';
  let ended = false;
  let wake: () => void = () => {};
  incoming.setEncoding('utf8').on('data', (part: string) => {
    const all = (rest + part).split('\n');
    rest = all.pop() as string;
    for (const line of all) if (line.trim() !== '') lines.push(line);
    wake();
  });
  const end = (): void => {
    ended = true;
    if (rest.trim() !== '') lines.push(rest);
    rest = '';
    wake();
  };
  incoming.on('end', end).on('error', end).on('close', end);
  const close = (): void => void outgoing.destroy();
  return {
    status: 200,
    rawHeaders: incoming.rawHeaders,
    close,
    take: async (most, timeoutMs) => {
      const deadline = Date.now() + timeoutMs;
      while (lines.length < most && !ended) {
        const left = deadline - Date.now();
        if (left <= 0) break;
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, left);
        });
        clearTimeout(timer);
      }
      close();
      return lines.slice(0, most);
    },
  };
}
