import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Dial } from './dial.ts';
import { hostPort } from './dial.ts';
import type { IncomingResponse, OutgoingRequest, Peer } from './exchange.ts';
import { Http2Session } from './http2-session.ts';
import { secureConnection } from './secure-connection.ts';
import type { SecureContexts } from './secure-contexts.ts';

/** For how long a server that does not speak HTTP/2 is not asked again whether it does. */
const rememberMs = 90_000;

/** All requests to a server wait for one connection, which must therefore not wait for ever. */
const connectTimeoutMs = 30_000;

/** What a server speaks, as far as we know. */
interface Known {
  readonly peer: Peer;
  sessions: readonly Http2Session[];
  /** a connection that is being made, for all who wait for one */
  dialing: Promise<Http2Session | undefined> | undefined;
  /** it speaks only HTTP/1.1, we believe until then */
  oldUntil: number;
}

/** The connections to servers that speak HTTP/2: one for each server and client certificate, more only while its streams are used up. */
export class Http2Sessions implements Disposable {
  readonly #clock: Clock;
  readonly #dial: Dial | undefined;
  readonly #contexts: SecureContexts;
  readonly #known = new Map<string, Known[]>();
  readonly #connecting = new Set<Duplex>();

  /** `dial`: how servers are reached, when not directly. */
  constructor(clock: Clock, dial: Dial | undefined, contexts: SecureContexts) {
    this.#clock = clock;
    this.#dial = dial;
    this.#contexts = contexts;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#connecting) socket.destroy();
    for (const { sessions } of [...this.#known.values()].flat()) for (const session of sessions) session.destroy();
  }

  /** undefined: the server speaks HTTP/1.1. Rejects with NotProcessedError, or with why there is no response. */
  async exchange(peer: Peer, request: OutgoingRequest): Promise<IncomingResponse | undefined> {
    for (;;) {
      const known = this.#knownOf(peer);
      if (known.oldUntil > this.#clock.now()) return undefined;
      const session = known.sessions.find(({ hasRoom }) => hasRoom);
      // At once: the next request must see that this stream is taken.
      if (session !== undefined) return session.exchange(request);
      known.dialing ??= this.#connect(known).finally(() => (known.dialing = undefined));
      const made = await abortable(known.dialing, request.signal);
      if (made === undefined) return undefined;
      if (!made.isOpen) throw new Error('unexpected EOF');
    }
  }

  /** The server did not take a connection with HTTP/1.1: it may be another one now. */
  forget(peer: Peer): void {
    this.#knownOf(peer).oldUntil = 0;
  }

  #knownOf(peer: Peer): Known {
    const address = hostPort(peer);
    const there = this.#known.get(address) ?? [];
    const found = there.find((known) => isSame(known.peer, peer));
    if (found !== undefined) return found;
    const made: Known = { peer, sessions: [], dialing: undefined, oldUntil: 0 };
    this.#known.set(address, [...there, made]);
    return made;
  }

  async #connect(known: Known): Promise<Http2Session | undefined> {
    this.#sweep(known);
    const { peer } = known;
    const under = await this.#dial?.(peer, AbortSignal.timeout(connectTimeoutMs));
    const socket = await this.#secure(peer, under);
    if (socket.alpnProtocol !== 'h2') {
      // Ended, not cut: servers log what is cut in a handshake.
      socket.on('error', () => socket.destroy()).resume();
      socket.end();
      known.oldUntil = this.#clock.now() + rememberMs;
      return undefined;
    }
    const session = new Http2Session(peer, socket, () => {
      known.sessions = known.sessions.filter((other) => other !== session);
    });
    known.sessions = [...known.sessions, session];
    return session;
  }

  #secure(peer: Peer, under: Duplex | undefined): Promise<TLSSocket> {
    const { host, port, serverName = host, authorities, insecure, client } = peer;
    const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
    const target = { host, port, ...(under !== undefined && { socket: under }), serverName, authorities, insecure, client };
    const socket = secureConnection(
      { ...target, protocols: ['h2', 'http/1.1'] },
      this.#contexts,
      () => this.#clock.now(),
      (error) => (error === undefined ? resolve(socket) : reject(error)),
    );
    const timer = setTimeout(() => socket.destroy(new Error('net/http: TLS handshake timeout')), connectTimeoutMs).unref();
    this.#connecting.add(socket);
    socket.once('close', () => {
      this.#connecting.delete(socket);
      reject(new Error('EOF'));
    });
    return promise.finally(() => {
      clearTimeout(timer);
      this.#connecting.delete(socket);
    });
  }

  /** No event says that a server is gone for good, or that a certificate was replaced. */
  #sweep(kept: Known): void {
    const now = this.#clock.now();
    for (const [address, there] of this.#known) {
      const used = there.filter((one) => one === kept || one.sessions.length > 0 || one.dialing !== undefined || one.oldUntil > now);
      if (used.length > 0) this.#known.set(address, used);
      else this.#known.delete(address);
    }
  }
}

function isSame(one: Peer, other: Peer): boolean {
  return (
    one.serverName === other.serverName &&
    one.insecure === other.insecure &&
    one.authorities === other.authorities &&
    one.client?.certificate === other.client?.certificate &&
    one.client?.key === other.client?.key
  );
}

/** A request that gives up waiting leaves the connection to the others. */
function abortable<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = (): void => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  waited.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
