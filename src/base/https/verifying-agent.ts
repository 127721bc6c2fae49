import type { Agent, RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Dial, DialAddress } from './dial.ts';
import { secureConnection } from './secure-connection.ts';
import type { SecureContexts } from './secure-contexts.ts';

type Connected = (error: Error | null, socket: Duplex) => void;

/** How long an idle connection is kept. */
const idleMs = 90_000;

/** Not imported: a start would load it, and many servers never call another. */
export function https(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}

/** Hands out connections once their server is known to be the one that was asked for, unless `rejectUnauthorized` is false. */
export class VerifyingAgent {
  readonly #clock: Clock;
  readonly #dial: Dial | undefined;
  readonly #contexts: SecureContexts;
  /** not handed out yet, so that only this closes them */
  readonly #connecting = new Set<TLSSocket>();
  #agent: Agent | undefined;

  /** `dial`: how servers are reached, when not directly. */
  constructor(clock: Clock, dial: Dial | undefined, contexts: SecureContexts) {
    this.#clock = clock;
    this.#dial = dial;
    this.#contexts = contexts;
  }

  /** for requests of node's */
  get agent(): Agent {
    if (this.#agent === undefined) {
      const { Agent: HttpsAgent } = https();
      this.#agent = new HttpsAgent({ keepAlive: true, timeout: idleMs });
      this.#agent.createConnection = (options: RequestOptions, done?: Connected): undefined => this.#connect(options, done);
    }
    return this.#agent;
  }

  destroy(): void {
    this.#agent?.destroy();
    for (const socket of this.#connecting) socket.destroy();
  }

  #connect(options: RequestOptions, done: Connected | undefined): undefined {
    const address = { host: options.host ?? '', port: Number(options.port) };
    if (this.#dial === undefined) return this.#secure(options, address, done);
    this.#dial(address, options.signal).then(
      (socket) => this.#secure(options, { ...address, socket }, done),
      // No socket comes with an error; node looks at the error first.
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  }

  #secure(options: RequestOptions, target: DialAddress & { readonly socket?: Duplex }, done: Connected | undefined): undefined {
    const { cert, key } = options;
    const socket = secureConnection(
      {
        ...target,
        serverName: options.servername ?? '',
        authorities: options.ca as string | undefined,
        insecure: options.rejectUnauthorized === false,
        client: cert === undefined || key === undefined ? undefined : { certificate: cert as string, key: key as string },
        protocols: ['http/1.1'],
      },
      this.#contexts,
      () => this.#clock.now(),
      (error) => {
        this.#connecting.delete(socket);
        done?.(error ?? null, socket);
      },
    );
    this.#connecting.add(socket);
    socket.once('close', () => this.#connecting.delete(socket));
    return undefined;
  }
}
