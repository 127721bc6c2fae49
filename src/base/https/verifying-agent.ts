import type { RequestOptions } from 'node:https';
import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Dial, DialAddress } from './dial.ts';
import { secureConnection } from './secure-connection.ts';
import type { SecureContexts } from './secure-contexts.ts';

/** How long an idle connection is kept. */
const idleMs = 90_000;

/** Hands out connections once their server is known to be the one that was asked for, unless `rejectUnauthorized` is false. */
export class VerifyingAgent extends Agent {
  readonly #clock: Clock;
  readonly #dial: Dial | undefined;
  readonly #contexts: SecureContexts;
  /** not handed out yet, so that only this closes them */
  readonly #connecting = new Set<TLSSocket>();

  /** `dial`: how servers are reached, when not directly. */
  constructor(clock: Clock, dial: Dial | undefined, contexts: SecureContexts) {
    super({ keepAlive: true, timeout: idleMs });
    this.#clock = clock;
    this.#dial = dial;
    this.#contexts = contexts;
  }

  override destroy(): void {
    super.destroy();
    for (const socket of this.#connecting) socket.destroy();
  }

  override createConnection(options: RequestOptions, done?: (error: Error | null, socket: Duplex) => void): undefined {
    const address = { host: options.host ?? '', port: Number(options.port) };
    if (this.#dial === undefined) return this.#secure(options, address, done);
    this.#dial(address, options.signal).then(
      (socket) => this.#secure(options, { ...address, socket }, done),
      // No socket comes with an error; node looks at the error first.
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  }

  #secure(
    options: RequestOptions,
    target: DialAddress & { readonly socket?: Duplex },
    done: ((error: Error | null, socket: Duplex) => void) | undefined,
  ): undefined {
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
