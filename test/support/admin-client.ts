import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

/** As much of a running server as a client needs. */
interface TestServer {
  readonly url: string;
  readonly authority: { readonly certificate: string };
  readonly admin: { readonly certificate: string; readonly key: string };
}

export interface Answer {
  readonly status: number;
  readonly warning: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** One admin's connection to a server. */
export class Client {
  readonly #server: TestServer;
  readonly #agent: Agent;

  constructor(server: TestServer) {
    this.#server = server;
    const { certificate: cert, key } = server.admin;
    this.#agent = new Agent({ ca: server.authority.certificate, cert, key, keepAlive: true });
  }

  call(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: { 'content-type': contentType } };
      const outgoing = request(new URL(path, this.#server.url), options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          const parsed = text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : ({ text } as unknown as Answer['body']);
          resolve({ status: answer.statusCode ?? 0, warning: answer.headers['warning']?.toString(), body: parsed });
        });
      });
      outgoing.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Follows a watch until the server ends it; returns the types of what it sent. */
  watch(path: string, began: () => void = () => {}): Promise<string[]> {
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, this.#server.url), { agent: this.#agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          const lines = text.split('\n').filter((line) => line !== '');
          resolve(lines.map((line) => (JSON.parse(line) as { type: string }).type));
        });
        began();
      });
      outgoing.on('error', reject).end();
    });
  }

  /** A watch that has begun; it ends when the loop over its events is left. */
  async events(path: string): Promise<AsyncIterable<WatchEvent>> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(new URL(path, this.#server.url), { agent: this.#agent }, resolve).on('error', reject).end();
    });
    return eventsIn(answer);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

async function* eventsIn(answer: IncomingMessage): AsyncGenerator<WatchEvent> {
  let rest = '';
  for await (const part of answer.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as WatchEvent;
  }
}
