// Upstream: golang.org/x/net/http2/server.go#serve, #scheduleHandler, #closeStream
import * as http2 from 'node:http2';
import type { ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Connection } from './connection.ts';
import { Http2Exchange } from './http2.ts';
import { Allowance, IdleBytes } from './allowance.ts';
import * as limits from './limits.ts';

export interface Http2ConnectionOptions {
  readonly maxStreams: number;
  /** Resolves when the request is answered, whatever became of it; never rejects. */
  readonly serve: (exchange: Http2Exchange) => Promise<void>;
  readonly closed: () => void;
}

/** One HTTP/2 connection and what it may cost: streams, requests that run, requests taken back, time without a request. */
export class Http2Connection {
  readonly #session: ServerHttp2Session;
  readonly #socket: TLSSocket;
  readonly #connection: Connection;
  readonly #options: Http2ConnectionOptions;
  readonly #open = new Set<Http2Exchange>();
  /** requests that are being worked on, those of streams that are gone included */
  #running = 0;
  #waiting: Http2Exchange[] = [];
  /** until when requests are begun in this turn of the event loop; undefined: none was yet */
  #turnEnds: number | undefined;
  #greeted = false;
  /** the client was told to go */
  #retiring = false;
  /** it will be, soon */
  #dismissal: NodeJS.Timeout | undefined;
  /** requests that came since that is known */
  #lastRequests = 0;
  /** the stream that was opened last */
  #latest = -1;
  /** since when there is no stream, in milliseconds */
  #idleSince = performance.now();
  /** bytes of the connection when its latest request came */
  #read = 0;
  readonly #resets = new Allowance(limits.resetBurst, limits.resetsPerSecond);
  /** PING and SETTINGS, which cost us an answer each */
  readonly #signals = new Allowance(limits.signalBurst, limits.signalsPerSecond);
  readonly #idleBytes = new IdleBytes();

  constructor(socket: TLSSocket, connection: Connection, options: Http2ConnectionOptions) {
    const { maxStreams } = options;
    this.#socket = socket;
    this.#connection = connection;
    this.#options = options;
    const settings = {
      maxConcurrentStreams: maxStreams,
      initialWindowSize: limits.streamWindow,
      maxFrameSize: limits.maxFrameSize,
      // Node resets a stream beyond it without a word: those a little above are told.
      maxHeaderListSize: limits.maxHeaderListSize + (256 << 10),
    };
    const session = http2.performServerHandshake(socket, {
      settings,
      maxHeaderListPairs: limits.maxHeaderListSize / limits.fieldOverhead,
      maxSessionMemory: 100,
      maxSettings: 100,
      // Node's own limits would end the connection before ours, as if it were our fault.
      maxSessionRejectedStreams: 60 * limits.resetBurst,
      streamResetBurst: 60 * limits.resetBurst,
      streamResetRate: 60 * limits.resetsPerSecond,
    } as http2.ServerOptions);
    this.#session = session;
    session.setLocalWindowSize(limits.streamWindow * maxStreams);
    session.on('remoteSettings', () => {
      this.#greeted = true;
      if (!this.#signals.take(1)) this.#calm();
    });
    session.on('ping', () => {
      if (!this.#signals.take(1)) this.#calm();
    });
    session.once('close', () => this.#closed());
    session.on('error', () => session.destroy());
    session.on('stream', (stream, headers, _flags, lines) => this.#accept(new Http2Exchange(stream, headers, lines, connection)));
  }

  /** No new requests; closes as soon as those under way are answered. */
  retire(): void {
    clearTimeout(this.#dismissal);
    this.#retiring = true;
    if (!this.#session.closed && !this.#session.destroyed) this.#session.close();
    if (this.#open.size === 0) this.#idleSince = performance.now();
  }

  /**
   * The same for a client that is not to ask again, in a moment: it may still be sending, and what it has not read is lost when a connection
   * closes on that. What it asks until then is answered, as upstream does; what has not had its turn by then may be asked elsewhere.
   */
  #dismiss(): void {
    if (this.#retiring) return;
    this.#dismissal ??= setTimeout(() => {
      for (const exchange of this.#waiting.splice(0)) exchange.decline();
      this.retire();
    }, limits.dismissalMs).unref();
  }

  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  /** Looks after the limits that are times. */
  sweep(now: number): void {
    for (const exchange of this.#open) if (exchange.sendBy !== undefined && now > exchange.sendBy) exchange.fail();
    if (this.#open.size > 0) return;
    const idle = now - this.#idleSince;
    if (this.#retiring ? idle > limits.farewellMs : !this.#greeted && idle > limits.greetingMs) this.destroy();
    else if (idle > limits.idleMs) this.retire();
  }

  /** Whether it keeps us busy with frames that belong to no request; then it ends. Looked at when the process has much to do. */
  endIfIdleTalk(now: number): void {
    const { bytesRead, bytesWritten } = this.#socket;
    const sending = this.#open.values().some(({ uploads }) => uploads);
    if (this.#idleBytes.count(bytesRead, bytesWritten, now, sending) > limits.idleTalkBytes) this.#calm();
  }

  #accept(exchange: Http2Exchange): void {
    // Those between were more than may be open at a time: node turned them away without telling us.
    const turnedAway = Math.floor((exchange.id - this.#latest) / 2) - 1;
    this.#latest = exchange.id;
    if (turnedAway > 0) this.#countResets(turnedAway);
    if (exchange.closed) {
      // Taken back before anybody looked: nothing is done for it.
      this.#countResets(1);
      return;
    }
    this.#open.add(exchange);
    exchange.own(() => this.#release(exchange));
    const { bytesRead } = this.#socket;
    // Compressed text takes five bits for each character, at least.
    if (bytesRead - this.#read > limits.maxHeaderBytes / 2) exchange.measure();
    this.#read = bytesRead;
    this.#idleBytes.forgive(bytesRead);
    if (this.#dismissal !== undefined && ++this.#lastRequests >= this.#options.maxStreams) this.retire();
    if (exchange.foreign) exchange.refuse();
    else if (this.#waiting.length === 0 && this.#mayRun()) this.#run(exchange);
    else if (this.#waiting.length > limits.waitingPerRunning * this.#options.maxStreams) this.#calm();
    else this.#waiting.push(exchange);
  }

  /** Requests that come together are begun together for a moment; then it is the turn of other connections. */
  #mayRun(): boolean {
    if (this.#running >= this.#options.maxStreams) return false;
    const now = performance.now();
    if (this.#turnEnds === undefined) {
      this.#turnEnds = now + limits.turnMs;
      setImmediate(() => this.#nextTurn());
      return true;
    }
    // Of those who are not to ask again, one at a time.
    return now < this.#turnEnds && !this.#connection.retiring;
  }

  #nextTurn(): void {
    this.#turnEnds = undefined;
    this.#waiting = this.#waiting.filter((exchange) => !exchange.closed);
    while (this.#waiting.length > 0 && this.#mayRun()) this.#run(this.#waiting.shift() as Http2Exchange);
  }

  #run(exchange: Http2Exchange): void {
    this.#running++;
    void this.#options.serve(exchange).then(() => this.#done());
  }

  #done(): void {
    this.#running--;
    if (this.#connection.retiring) this.#dismiss();
    // Whoever waits for its turn waits on; whoever waits for this one to end need not.
    if (this.#waiting.length > 0 && this.#turnEnds === undefined) this.#nextTurn();
  }

  #release(exchange: Http2Exchange): void {
    this.#open.delete(exchange);
    if (exchange.reset) this.#countResets(1);
    if (this.#open.size === 0) this.#idleSince = performance.now();
  }

  #countResets(count: number): void {
    if (!this.#resets.take(count)) this.#calm();
  }

  /** The client asks too much of us. */
  #calm(): void {
    if (!this.#session.destroyed) this.#session.destroy(new Error('too many requests'), http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  #closed(): void {
    clearTimeout(this.#dismissal);
    this.#waiting = [];
    this.#options.closed();
  }
}
