import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import type { Hello, Order, Report } from './messages.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: Buffer | string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** it is sent again until the response has this status: what comes next would be in vain before */
  readonly until?: number;
}

export interface Answer {
  readonly status: number;
  readonly length: number;
  readonly start: string;
}

/** The server that is hunted in, and how long others would have waited for it. */
export class HuntedServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #hello: Hello;
  readonly #agent: Agent;

  private constructor(child: ChildProcess, hello: Hello) {
    this.#child = child;
    this.#hello = hello;
    this.#agent = new Agent({ ca: hello.ca, cert: hello.admin.certificate, key: hello.admin.key, keepAlive: true });
  }

  static async start(): Promise<HuntedServer> {
    const dress = process.argv.filter((argument) => argument === '--dressed' || argument === '--why');
    const child = fork(join(import.meta.dirname, 'server-process.ts'), dress, { execArgv: ['--expose-gc', '--max-old-space-size=2048'] });
    const [hello] = (await once(child, 'message')) as [Hello];
    const server = new HuntedServer(child, hello);
    // No controller makes it, and pods wait for it.
    const account = JSON.stringify({ metadata: { name: 'default' } });
    await server.send({ method: 'POST', path: '/api/v1/namespaces/default/serviceaccounts', body: account }, 10_000);
    return server;
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async order(order: Order): Promise<Report> {
    const told = once(this.#child, 'message') as Promise<[Report]>;
    this.#child.send(order);
    return (await told)[0];
  }

  /** The response; undefined when there is none in time. Streams are read for a while. */
  send({ method, path, body, headers = {} }: Sent, timeout: number): Promise<Answer | undefined> {
    const framed = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve) => {
      const outgoing = request(
        `${this.#hello.url}${path}`,
        { method, agent: this.#agent, headers: { ...framed, ...headers } },
        (answer) => {
          let length = 0;
          let start = '';
          const done = (): void => {
            clearTimeout(timer);
            resolve({ status: answer.statusCode ?? 0, length, start });
          };
          answer.on('data', (part: Buffer) => {
            length += part.length;
            if (start.length < 400) start += part.toString();
          });
          answer.on('end', done);
          answer.on('error', done);
        },
      );
      const timer = setTimeout(() => {
        outgoing.destroy();
        resolve(undefined);
      }, timeout);
      outgoing.on('error', (error) => {
        clearTimeout(timer);
        resolve({ status: 0, length: 0, start: String(error) });
      });
      outgoing.end(body);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    if (!this.alive) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
