import { connect, constants } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
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

const streamWindow = 4 * 1024 * 1024;
/** Large, since one reader that stands still must not use up what all streams of the connection share. */
const connectionWindow = 512 * 1024 * 1024;

/** One HTTP/2 connection to one endpoint, from dial to end. It does not come back: the channel makes a new one. */
export class Connection {
  readonly endpoint: Endpoint;
  readonly #options: ConnectionOptions;
  readonly #session: ClientHttp2Session;
  readonly #dialTimer: NodeJS.Timeout;
  #monitor: NodeJS.Timeout | undefined;
  #state: 'connecting' | 'ready' | 'closed' = 'connecting';
  #reason: Error | undefined;
  /** open calls that a caller waits for, by start time; watches are not among them */
  readonly #waiting = new Set<{ readonly since: number }>();
  #openStreams = 0;
  #lastPing = performance.now();
  #pinging = false;

  constructor(endpoint: Endpoint, options: ConnectionOptions) {
    this.endpoint = endpoint;
    this.#options = options;
    const authority = authorityOf(endpoint);
    this.#session = connect(`${endpoint.secure ? 'https' : 'http'}://${authority}`, {
      createConnection: () => dial(endpoint, options.tls, options.dial),
      settings: { initialWindowSize: streamWindow, enablePush: false },
      // In megabytes; the default of 10 would refuse new calls while big responses are on their way.
      maxSessionMemory: 2048,
    });
    this.#dialTimer = setTimeout(
      () => this.close(new Error(`dial ${endpoint.name}: timed out after ${options.dialTimeoutMs} ms`)),
      options.dialTimeoutMs,
    );
    this.#session.once('connect', () => this.#connected());
    this.#session.on('error', (error: Error) => this.#down(error));
    this.#session.once('goaway', (code: number) => {
      this.#down(new Error(`${endpoint.name} sent GOAWAY with code ${code}`), { letCallsFinish: code === constants.NGHTTP2_NO_ERROR });
    });
    this.#session.once('close', () => this.#down(new Error(`connection to ${endpoint.name} closed`)));
  }

  get ready(): boolean {
    return this.#state === 'ready';
  }

  /** Why it is down; undefined while it is not. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Opens a stream. `awaited`: the caller waits for a prompt response, so silence makes the connection suspect. */
  open(headers: OutgoingHttpHeaders, awaited: boolean): ClientHttp2Stream {
    const stream = this.#session.request({
      ':authority': authorityOf(this.endpoint),
      ':scheme': this.endpoint.secure ? 'https' : 'http',
      ...headers,
    });
    const call = { since: performance.now() };
    this.#openStreams++;
    if (awaited) this.#waiting.add(call);
    this.#session.ref();
    stream.once('close', () => {
      this.#waiting.delete(call);
      this.#openStreams--;
      // An idle connection must not keep the process alive.
      if (this.#openStreams === 0) this.#session.unref();
    });
    return stream;
  }

  close(reason = new Error('the connection was closed')): void {
    this.#down(reason);
    this.#session.destroy();
  }

  #connected(): void {
    clearTimeout(this.#dialTimer);
    if (this.#state === 'closed') return;
    this.#state = 'ready';
    this.#session.setLocalWindowSize(connectionWindow);
    this.#session.unref();
    this.#monitor = setInterval(() => this.#checkLiveness(), Math.min(1000, this.#options.suspectAfterMs)).unref();
    this.#options.onUp();
  }

  #checkLiveness(): void {
    if (this.#pinging || this.#openStreams === 0) return;
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
    const sent = this.#session.ping(() => {
      clearTimeout(timer);
      this.#pinging = false;
    });
    if (!sent) this.close(new Error(`no keepalive ping could be sent to ${this.endpoint.name}`));
  }

  #down(reason: Error, options = { letCallsFinish: false }): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#reason = reason;
    clearTimeout(this.#dialTimer);
    clearInterval(this.#monitor);
    if (options.letCallsFinish) this.#session.close();
    else this.#session.destroy();
    this.#options.onDown(reason);
  }
}
