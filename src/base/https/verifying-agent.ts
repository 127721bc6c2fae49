import type { RequestOptions } from 'node:https';
import { Agent } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { connect, getCACertificates } from 'node:tls';
import type { Clock } from '../clock.ts';
import { distrust } from './certificate-check.ts';
import type { Dial, DialAddress } from './dial.ts';

/** How long an idle connection is kept. */
const idleMs = 90_000;

export class DistrustedError extends Error {
  override readonly name = 'DistrustedError';
}

/** Hands out connections once their server is known to be the one that was asked for, unless `rejectUnauthorized` is false. */
export class VerifyingAgent extends Agent {
  readonly #clock: Clock;
  readonly #dial: Dial | undefined;
  /** not handed out yet, so that only this closes them */
  readonly #connecting = new Set<TLSSocket>();

  /** `dial`: how servers are reached, when not directly. */
  constructor(clock: Clock, dial?: Dial) {
    super({ keepAlive: true, timeout: idleMs });
    this.#clock = clock;
    this.#dial = dial;
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
    const serverName = options.servername ?? '';
    const authorities = options.ca as string | undefined;
    const { cert, key } = options;
    const socket = connect({
      ...target,
      ALPNProtocols: ['http/1.1'],
      ca: authorities ?? getCACertificates('system'),
      // As in Go, whatever is among the authorities is trusted as it is: an intermediate, or the serving certificate itself.
      allowPartialTrustChain: true,
      ...(cert !== undefined && key !== undefined && { cert, key }),
      // SNI must not carry an IP address; the certificate is verified against it all the same.
      servername: isIP(serverName) === 0 ? serverName : '',
      // It is verified below, where more can be said about what is wrong.
      rejectUnauthorized: false,
    });
    this.#connecting.add(socket);
    socket.once('close', () => this.#connecting.delete(socket));
    const fail = (error: Error): void => done?.(error, socket);
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      socket.off('error', fail);
      this.#connecting.delete(socket);
      const now = new Date(this.#clock.now());
      const reason = options.rejectUnauthorized === false ? undefined : distrust(socket, { serverName, authorities, now });
      if (reason === undefined) return done?.(null, socket);
      socket.destroy();
      fail(new DistrustedError(reason));
    });
    return undefined;
  }
}
