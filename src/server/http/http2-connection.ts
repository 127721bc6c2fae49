// Upstream: golang.org/x/net/http2/server.go#serve, #scheduleHandler, #closeStream
import type { TLSSocket } from 'node:tls';
import { Http2ServerConnection } from '../../base/http2/connection.ts';
import type { Http2Handler, Http2Shared } from '../../base/http2/connection.ts';
import { errorCode } from '../../base/http2/frames.ts';
import type { Http2Stream } from '../../base/http2/stream.ts';
import { Allowance, IdleBytes } from './allowance.ts';
import type { Connection } from './connection.ts';
import { Http2Exchange } from './http2.ts';
import type { ExchangeOwner } from './http2.ts';
import * as limits from './limits.ts';
import type { Turn } from './turn.ts';

export interface Http2ConnectionOptions {
  readonly maxStreams: number;
  /** shared by all connections */
  readonly turn: Turn;
  readonly shared: Http2Shared;
  /** Resolves when the response has ended, whatever became of it; never rejects. */
  readonly serve: (exchange: Http2Exchange) => Promise<void>;
  readonly closed: () => void;
  /** it ends, as its client asks too much */
  readonly calmed: () => void;
}

/** One HTTP/2 connection and what it may cost: streams, requests that run, requests taken back, time without a request. */
export class Http2Connection implements Http2Handler, ExchangeOwner {
  readonly #session: Http2ServerConnection;
  readonly #socket: TLSSocket;
  readonly #connection: Connection;
  readonly #options: Http2ConnectionOptions;
  readonly #open = new Set<Http2Exchange>();
  /** requests that are being worked on, those of streams that are gone included */
  #running = 0;
  #waiting: Http2Exchange[] = [];
  /** the last turn in which it began a request */
  #turn = -1;
  #isScheduled = false;
  #greeted = false;
  /** GOAWAY was sent */
  #retiring = false;
  /** it will be, soon */
  #dismissal: NodeJS.Timeout | undefined;
  /** what waits will not have its turn */
  #declining = false;
  #requests = 0;
  /** since when there is no stream, in milliseconds */
  #idleSince = performance.now();
  /** bytes that the client has taken, and since when it has taken no more */
  #taken = { bytes: 0, at: performance.now() };
  /** frames that were read in a turn, and which turn that was */
  #framesRead = 0;
  #bytesRead = 0;
  #framesTurn = -1;
  readonly #resets = new Allowance(limits.resetBurst, limits.resetsPerSecond);
  readonly #abandoned = new Allowance(limits.abandonedBurst, limits.abandonedPerSecond);
  /** its requests are not worth beginning: it takes them back */
  #isHasty = false;
  /** PING and SETTINGS, which cost us a response each */
  readonly #signals = new Allowance(limits.signalBurst, limits.signalsPerSecond);
  readonly #idleBytes = new IdleBytes();

  constructor(socket: TLSSocket, connection: Connection, options: Http2ConnectionOptions) {
    const { maxStreams } = options;
    this.#socket = socket;
    this.#connection = connection;
    this.#options = options;
    const { streamWindow, maxFrameSize, maxHeaderListSize } = limits;
    const connectionWindow = streamWindow * maxStreams;
    const bounds = { maxStreams, streamWindow, connectionWindow, maxFrameSize, maxHeaderListSize };
    this.#session = new Http2ServerConnection(socket, bounds, options.shared, this);
  }

  /** requests that wait for others of this connection */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** No request is under way. */
  get idle(): boolean {
    return this.#open.size === 0;
  }

  /** No new requests; closes as soon as those under way have ended. */
  retire(): void {
    clearTimeout(this.#dismissal);
    this.#retiring = true;
    this.#session.retire();
    if (this.#open.size === 0) this.#idleSince = performance.now();
  }

  /**
   * The same for a client that is not to ask again, in a moment: it may still be sending, and as upstream does, we hear that. What it asks one
   * after the other until then is served; what has not had its turn may be asked elsewhere.
   */
  #dismiss(): void {
    if (this.#retiring) return;
    this.#dismissal ??= setTimeout(() => {
      this.#declineWaiting();
      this.retire();
    }, limits.dismissalMs).unref();
  }

  /** A few in each turn of the event loop: there may be hundreds. */
  #declineWaiting(): void {
    this.#declining = true;
    for (const exchange of this.#waiting.splice(0, limits.declinedPerTurn)) exchange.decline();
    if (this.#waiting.length > 0) setImmediate(() => this.#declineWaiting());
  }

  destroy(): void {
    this.#session.destroy();
  }

  /** Looks after the limits that are times. */
  sweep(now: number): void {
    for (const exchange of this.#open) if (exchange.sendBy !== undefined && now > exchange.sendBy) exchange.fail();
    if (this.#stalls(now)) this.destroy();
    if (this.#open.size > 0) return;
    const idle = now - this.#idleSince;
    if (this.#retiring ? idle > limits.farewellMs : !this.#greeted && idle > limits.greetingMs) this.destroy();
    else if (idle > limits.idleMs) this.retire();
  }

  /** Whether all that is left to do is that an unauthenticated client reads its responses, and it does not. */
  #stalls(now: number): boolean {
    const { bytesWritten } = this.#socket;
    if (bytesWritten !== this.#taken.bytes) this.#taken = { bytes: bytesWritten, at: now };
    return this.#retiring && !this.#connection.known && this.#running === 0 && now - this.#taken.at > limits.farewellMs;
  }

  /** Whether it keeps us busy with frames that belong to no request; then it ends. Looked at when the process has much to do, or strangers have. */
  endIfIdleTalk(now: number, mostBytes: number = limits.idleTalkBytes): void {
    const { bytesRead, bytesWritten } = this.#socket;
    if (this.#idleBytes.count(bytesRead, bytesWritten, now) <= mostBytes) return;
    // They may be the body of a request that is not at its end.
    if (this.#open.values().some(({ uploads }) => uploads)) this.#idleBytes.forgive(bytesRead);
    else this.#calm();
  }

  request(stream: Http2Stream): Http2Exchange {
    const exchange = new Http2Exchange(stream, this.#connection, this);
    this.#open.add(exchange);
    this.#idleBytes.forgive(this.#socket.bytesRead);
    this.#accept(exchange);
    return exchange;
  }

  greeted(): void {
    this.#greeted = true;
  }

  signal(): void {
    this.#count(this.#signals, 1);
  }

  refused(): void {
    this.#count(this.#resets, 1);
  }

  mayReadOn(bytes: number): boolean {
    const { turn } = this.#options;
    if (this.#framesTurn !== turn.number) {
      this.#framesTurn = turn.number;
      this.#framesRead = this.#bytesRead = 0;
    }
    this.#framesRead++;
    this.#bytesRead += bytes;
    if (this.#isTrusted) return this.#framesRead < limits.framesPerTurn && this.#bytesRead < limits.frameBytesPerTurn;
    const isLast = !turn.admitStrangersFrame();
    return !isLast && this.#framesRead < limits.strangersFramesPerTurn && this.#bytesRead < limits.strangersFrameBytesPerTurn;
  }

  /** A large body takes its time also when it has come: what was read of it is no idle talk. */
  bodyArrived(): void {
    this.#idleBytes.forgive(this.#socket.bytesRead);
  }

  #accept(exchange: Http2Exchange): void {
    if (this.#dismissal !== undefined && (this.#turnTaken || this.#waiting.length > 0)) {
      // Many at once: none of them is served here, and those that follow are turned away at little cost.
      this.#waiting.push(exchange);
      if (!this.#declining) this.#declineWaiting();
      this.retire();
      return;
    }
    this.#requests++;
    if (this.#waiting.length === 0 && this.#mayRun()) this.#run(exchange);
    else if (this.#waiting.length > (this.#connection.known ? limits.waitingPerRunning : 1) * this.#options.maxStreams) this.#calm();
    else this.#wait(exchange);
  }

  get #isTrusted(): boolean {
    return this.#connection.known && !this.#isHasty;
  }

  get #turnTaken(): boolean {
    return this.#turn === this.#options.turn.number;
  }

  #wait(exchange: Http2Exchange): void {
    this.#waiting.push(exchange);
    this.#schedule();
  }

  /** Where it has had its turn, it comes again in the next; otherwise when a request has ended. */
  #schedule(): void {
    if (this.#isScheduled || !this.#turnTaken) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#nextTurn();
    });
  }

  /** Requests that come together are begun together for a moment; then it is the turn of other connections. Strangers wait for each other. */
  #mayRun(): boolean {
    if (this.#running >= this.#options.maxStreams) return false;
    if (this.#turnTaken) return this.#isTrusted && !this.#connection.retiring && this.#options.turn.hasTime;
    this.#turn = this.#options.turn.number;
    // The first request says who the client is, or that it is anonymous; handshakes bound how many there are.
    return this.#isTrusted || this.#requests === 1 || this.#options.turn.admitStranger();
  }

  #nextTurn(): void {
    if (this.#declining) return;
    this.#waiting = this.#waiting.filter((exchange) => !exchange.closed);
    while (this.#waiting.length > 0 && this.#mayRun()) this.#run(this.#waiting.shift() as Http2Exchange);
    if (this.#waiting.length > 0) this.#schedule();
  }

  #run(exchange: Http2Exchange): void {
    this.#running++;
    void this.#options.serve(exchange).then(() => this.#done());
  }

  #done(): void {
    this.#running--;
    if (this.#connection.retiring) this.#dismiss();
    // What waits for its turn waits on; what waits for this one to end need not.
    if (this.#waiting.length > 0 && !this.#turnTaken) this.#nextTurn();
  }

  released(exchange: Http2Exchange): void {
    this.#open.delete(exchange);
    this.#isHasty = !this.#abandoned.take(Number(exchange.abandoned));
    if (exchange.reset) this.#count(this.#resets, 1);
    if (exchange.hasBody) this.#idleBytes.forgive(this.#socket.bytesRead);
    if (this.#open.size === 0) this.#idleSince = performance.now();
  }

  #count(allowance: Allowance, count: number): void {
    if (!allowance.take(this.#connection.known ? count : count * limits.strangersDivisor)) this.#calm();
  }

  /** The client asks too much of us. */
  #calm(): void {
    if (this.#session.ending) return;
    this.#options.calmed();
    // It need not hear that: then its connection ends as that of others who are to go.
    this.#retiring = true;
    // Unauthenticated clients are not waited for: the reason may not reach them.
    this.#session.end(errorCode.calm);
    if (!this.#connection.known) setImmediate(() => this.#session.destroy());
  }

  closed(): void {
    clearTimeout(this.#dismissal);
    this.#waiting = [];
    this.#options.closed();
  }
}
