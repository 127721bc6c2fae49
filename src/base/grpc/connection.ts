import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ClientStream, ClientStreamUser } from '../http2/client-stream.ts';
import { Http2ClientConnection } from '../http2/client-connection.ts';
import { errorCode } from '../http2/frames.ts';
import type { ClientTls, Endpoint } from './endpoint.ts';
import { authorityOf, dial } from './endpoint.ts';
import type { Dial } from '../https/dial.ts';

export interface ConnectionOptions {
  readonly tls?: ClientTls | undefined;
  readonly dial?: Dial | undefined;
  readonly dialTimeoutMs: number;
  /** ping after this long without one while calls are open ... */
  readonly keepaliveTimeMs: number;
  /** ... and give the connection up when the response takes longer than this */
  readonly keepaliveTimeoutMs: number;
  /** a call that waits longer than this makes the connection suspect: it is pinged at once instead of at the next keepalive */
  readonly suspectAfterMs: number;
  /** servers punish clients that ping more often (etcd: 5 s) */
  readonly minPingIntervalMs: number;
  readonly onUp: () => void;
  readonly onDown: (reason: Error) => void;
}

const limits = {
  streamWindow: 4 << 20,
  /** Large, since one reader that stands still must not use up what all streams of the connection share. */
  connectionWindow: 512 << 20,
  /** Errors come in headers, and their texts may be long. */
  maxHeaderListSize: 1 << 20,
};

/** One HTTP/2 connection to one endpoint, from dial to end. It does not come back: the channel makes a new one. */
export class Connection {
  readonly endpoint: Endpoint;
  readonly #options: ConnectionOptions;
  readonly #socket: Duplex & Partial<Pick<Socket, 'ref' | 'unref'>>;
  /** of every call */
  readonly #fields: readonly string[];
  readonly #dialTimer: NodeJS.Timeout;
  #http2: Http2ClientConnection | undefined;
  #monitor: NodeJS.Timeout | undefined;
  #state: 'connecting' | 'ready' | 'closed' = 'connecting';
  #reason: Error | undefined;
  /** open calls that a caller waits for, the first first; watches are not among them */
  readonly #waiting = new Set<Call>();
  #openCalls = 0;
  #lastPing = performance.now();
  #pinging = false;

  constructor(endpoint: Endpoint, options: ConnectionOptions) {
    this.endpoint = endpoint;
    this.#options = options;
    const scheme = endpoint.secure ? 'https' : 'http';
    this.#fields = [':method', 'POST', ':scheme', scheme, ':authority', authorityOf(endpoint)];
    const socket = (this.#socket = dial(endpoint, options.tls, options.dial));
    this.#dialTimer = setTimeout(
      () => this.close(new Error(`dial ${endpoint.name}: timed out after ${options.dialTimeoutMs} ms`)),
      options.dialTimeoutMs,
    );
    socket.once(endpoint.secure ? 'secureConnect' : 'connect', () => this.#connected());
    socket.on('error', (error: Error) => this.#down(error));
    socket.once('close', () => this.#down(new Error(`connection to ${endpoint.name} closed`)));
  }

  get ready(): boolean {
    return this.#state === 'ready';
  }

  /** Why it is down; undefined while it is not. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Opens a stream, with these fields after those of every call. `awaited`: the caller waits for a prompt response, so silence makes the connection suspect. */
  open(lines: readonly string[], awaited: boolean, user: ClientStreamUser): ClientStream {
    const call = new Call(this, user);
    if (this.#openCalls++ === 0) this.#socket.ref?.();
    if (awaited) this.#waiting.add(call);
    return (this.#http2 as Http2ClientConnection).open([...this.#fields, ...lines], call);
  }

  /** A call is over. */
  ended(call: Call): void {
    this.#waiting.delete(call);
    // An idle connection must not keep the process alive.
    if (--this.#openCalls === 0) this.#socket.unref?.();
  }

  close(reason = new Error('the connection was closed')): void {
    this.#down(reason);
  }

  #connected(): void {
    clearTimeout(this.#dialTimer);
    if (this.#state === 'closed') return;
    this.#state = 'ready';
    this.#http2 = new Http2ClientConnection(this.#socket, limits, {
      retired: (code) => {
        const reason = new Error(`${this.endpoint.name} sent GOAWAY with code ${code}`);
        this.#down(reason, { letCallsFinish: code === errorCode.none });
      },
      closed: (error) => this.#down(error),
    });
    this.#socket.unref?.();
    this.#monitor = setInterval(() => this.#checkLiveness(), Math.min(1000, this.#options.suspectAfterMs)).unref();
    this.#options.onUp();
  }

  #checkLiveness(): void {
    if (this.#pinging || this.#openCalls === 0) return;
    const now = performance.now();
    const sincePing = now - this.#lastPing;
    if (sincePing < this.#options.minPingIntervalMs) return;
    // Sets iterate in insertion order, so the first call is the one that waits longest.
    const oldest = this.#waiting.values().next().value;
    const suspect = oldest !== undefined && now - oldest.since >= this.#options.suspectAfterMs;
    if (suspect || sincePing >= this.#options.keepaliveTimeMs) this.#ping(now);
  }

  #ping(now: number): void {
    this.#pinging = true;
    this.#lastPing = now;
    const timer = setTimeout(() => {
      this.close(new Error(`${this.endpoint.name} did not answer a keepalive ping within ${this.#options.keepaliveTimeoutMs} ms`));
    }, this.#options.keepaliveTimeoutMs).unref();
    this.#http2?.ping(() => {
      clearTimeout(timer);
      this.#pinging = false;
    });
  }

  #down(reason: Error, options = { letCallsFinish: false }): void {
    if (this.#state !== 'closed') {
      this.#state = 'closed';
      this.#reason = reason;
      clearTimeout(this.#dialTimer);
      clearInterval(this.#monitor);
      this.#options.onDown(reason);
    }
    if (options.letCallsFinish) return;
    this.#socket.destroy();
    this.#http2?.destroy(reason);
  }
}

/** Keeps count of a call. */
class Call implements ClientStreamUser {
  readonly since = performance.now();
  readonly #connection: Connection;
  readonly #user: ClientStreamUser;

  constructor(connection: Connection, user: ClientStreamUser) {
    this.#connection = connection;
    this.#user = user;
  }

  headers(lines: readonly string[]): void {
    this.#user.headers(lines);
  }

  data(piece: Buffer): void {
    this.#user.data(piece);
  }

  closed(code: number): void {
    this.#connection.ended(this);
    this.#user.closed(code);
  }
}
