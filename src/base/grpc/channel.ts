import { activeSpan, traceHeaders } from '../tracing/active-span.ts';
import type { Attributes, Span } from '../tracing/span.ts';
import { scopes, spanKind } from '../tracing/span.ts';
import type { CallOptions, GrpcStream } from './call.ts';
import { streamingCall, unaryCall } from './call.ts';
import { Connection } from './connection.ts';
import type { ClientTls, Endpoint } from './endpoint.ts';
import { parseEndpoint } from './endpoint.ts';
import type { Dial } from '../https/dial.ts';
import { GrpcError, statusCode } from './status.ts';

export interface ChannelOptions {
  readonly endpoints: readonly string[];
  readonly tls?: ClientTls;
  /** how endpoints with a host are reached, when not directly */
  readonly dial?: Dial | undefined;
  readonly dialTimeoutMs?: number;
  readonly keepaliveTimeMs?: number;
  readonly keepaliveTimeoutMs?: number;
  readonly suspectAfterMs?: number;
  readonly minPingIntervalMs?: number;
  readonly maxSendBytes?: number;
  readonly maxReceiveBytes?: number;
  readonly reconnectBaseMs?: number;
  readonly reconnectMaxMs?: number;
  /** an endpoint came up or went down, for the log */
  readonly onConnectivity?: (endpoint: string, up: boolean, reason: Error | undefined) => void;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** of a stream: how long a connection for it is waited for, when the stream itself may last */
  readonly connectTimeoutMs?: number | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** only this endpoint instead of whichever is up */
  readonly endpoint?: string | undefined;
}

interface Slot {
  readonly endpoint: Endpoint;
  connection: Connection | undefined;
  failures: number;
  retryTimer: NodeJS.Timeout | undefined;
  /** of the connection that there is */
  upSince: number | undefined;
  /** why the endpoint is down; undefined when it is up or was never tried */
  lastError: Error | undefined;
  /** not chosen before this time while others are up */
  avoidUntil: number;
}

/**
 * Calls to whichever of several equal endpoints is up, in turn. Connections are made on demand, kept, and remade with
 * growing pauses. A call waits for a connection until its deadline; it is never sent twice by the channel itself.
 */
export class Channel implements Disposable {
  readonly #options: ChannelOptions;
  readonly #slots: readonly Slot[];
  readonly #waiters = new Set<() => void>();
  #turn = 0;
  #closed = false;

  constructor(options: ChannelOptions) {
    if (options.endpoints.length === 0) throw new Error('at least one endpoint is required');
    this.#options = options;
    this.#slots = options.endpoints.map((name) => ({
      endpoint: parseEndpoint(name, options.tls !== undefined),
      connection: undefined,
      failures: 0,
      retryTimer: undefined,
      upSince: undefined,
      lastError: undefined,
      avoidUntil: 0,
    }));
  }

  get endpoints(): readonly string[] {
    return this.#options.endpoints;
  }

  unary(path: string, message: Buffer, options: RequestOptions = {}): Promise<Buffer> {
    const outer = activeSpan();
    return outer === undefined ? this.#unary(path, message, options) : this.#traced(outer, path, message, options);
  }

  async #traced(outer: Span, path: string, message: Buffer, options: RequestOptions): Promise<Buffer> {
    const rpc = path.slice(1);
    const span = outer.startExported(rpc, scopes.grpc, spanKind.client, { 'rpc.method': rpc, 'rpc.system.name': 'grpc' });
    const metadata = { ...options.metadata, ...traceHeaders(span ?? outer) };
    try {
      const answer = await this.#unary(path, message, { ...options, metadata }, (endpoint) => span?.set(addressOf(endpoint)));
      span?.set({ 'rpc.response.status_code': 'OK' });
      return answer;
    } catch (error) {
      if (span !== undefined) span.isError = true;
      if (error instanceof GrpcError) span?.set({ 'rpc.response.status_code': String(error.code) });
      throw error;
    } finally {
      span?.end();
    }
  }

  async #unary(path: string, message: Buffer, options: RequestOptions, chosen?: (endpoint: Endpoint) => void): Promise<Buffer> {
    const call = this.#callOptions(options);
    const slot = await this.#ready(call, options.endpoint);
    chosen?.(slot.endpoint);
    try {
      const answer = await unaryCall(slot.connection as Connection, path, message, call);
      slot.avoidUntil = 0;
      return answer;
    } catch (error) {
      if (error instanceof GrpcError && (error.code === statusCode.unavailable || error.code === statusCode.deadlineExceeded)) {
        slot.avoidUntil = performance.now() + 1000;
      }
      throw error;
    }
  }

  async stream(path: string, options: RequestOptions = {}): Promise<GrpcStream> {
    const call = this.#callOptions(options);
    const { connectTimeoutMs } = options;
    const connecting = connectTimeoutMs === undefined ? call : { ...call, deadline: performance.now() + connectTimeoutMs };
    const slot = await this.#ready(connecting, options.endpoint);
    return streamingCall(slot.connection as Connection, path, call);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    for (const slot of this.#slots) {
      clearTimeout(slot.retryTimer);
      slot.connection?.close(new Error('the channel was closed'));
    }
    this.#wake();
  }

  #callOptions(options: RequestOptions): CallOptions {
    return {
      signal: options.signal,
      deadline: options.timeoutMs === undefined ? undefined : performance.now() + options.timeoutMs,
      metadata: options.metadata,
      maxReceiveBytes: this.#options.maxReceiveBytes ?? 4 * 1024 * 1024,
      maxSendBytes: this.#options.maxSendBytes ?? 0x7fffffff,
    };
  }

  /** A slot whose connection is up, waiting for one if need be. */
  async #ready(call: CallOptions, only: string | undefined): Promise<Slot> {
    for (;;) {
      if (this.#closed) throw new GrpcError(statusCode.cancelled, 'the client connection is closing', { unprocessed: true });
      if (call.signal?.aborted)
        throw new GrpcError(statusCode.cancelled, 'context canceled', { unprocessed: true, cause: call.signal.reason });
      const slot = this.#pick(only);
      if (slot !== undefined) return slot;
      this.#connectAll(only);
      await this.#change(call, only);
    }
  }

  #pick(only: string | undefined): Slot | undefined {
    const now = performance.now();
    const count = this.#slots.length;
    const first = this.#turn++ % count;
    let fallback: Slot | undefined;
    for (let i = 0; i < count; i++) {
      const slot = this.#slots[(first + i) % count] as Slot;
      if (!slot.connection?.ready || (only !== undefined && slot.endpoint.name !== only)) continue;
      if (slot.avoidUntil <= now) {
        // The others should be up too, for the next turns and for the day this one fails.
        if (only === undefined && count > 1) this.#connectAll(undefined);
        return slot;
      }
      fallback ??= slot;
    }
    return fallback;
  }

  #connectAll(only: string | undefined): void {
    for (const slot of this.#slots) {
      if (only === undefined || slot.endpoint.name === only) this.#connect(slot);
    }
  }

  #connect(slot: Slot): void {
    if (this.#closed || slot.connection !== undefined || slot.retryTimer !== undefined) return;
    const options = this.#options;
    const down = (reason: Error): void => {
      slot.connection = undefined;
      slot.lastError = reason;
      options.onConnectivity?.(slot.endpoint.name, false, reason);
      this.#retryLater(slot);
      this.#wake();
    };
    try {
      slot.connection = new Connection(slot.endpoint, {
        tls: options.tls,
        dial: options.dial,
        dialTimeoutMs: options.dialTimeoutMs ?? 20_000,
        keepaliveTimeMs: options.keepaliveTimeMs ?? 30_000,
        keepaliveTimeoutMs: options.keepaliveTimeoutMs ?? 10_000,
        suspectAfterMs: options.suspectAfterMs ?? 1000,
        minPingIntervalMs: options.minPingIntervalMs ?? 5500,
        onUp: () => {
          slot.failures = 0;
          slot.upSince = performance.now();
          slot.lastError = undefined;
          options.onConnectivity?.(slot.endpoint.name, true, undefined);
          this.#wake();
        },
        onDown: down,
      });
    } catch (error) {
      // E.g. a certificate file that cannot be read: as bad as an endpoint that does not respond, and may heal as well.
      down(error as Error);
    }
  }

  #retryLater(slot: Slot): void {
    if (this.#closed) return;
    const base = this.#options.reconnectBaseMs ?? 100;
    const limit = this.#options.reconnectMaxMs ?? 3000;
    // A connection that was good is made again at once; one that ends as soon as it is made is no better than none.
    const wasGood = slot.upSince !== undefined && performance.now() - slot.upSince >= base;
    slot.upSince = undefined;
    const pause = wasGood ? 0 : Math.min(limit, base * 1.6 ** slot.failures) * (0.8 + 0.4 * Math.random());
    if (!wasGood) slot.failures++;
    slot.retryTimer = setTimeout(() => {
      slot.retryTimer = undefined;
      // A call waits, or the endpoint was in use before: come back by itself.
      this.#connect(slot);
    }, pause).unref();
  }

  #wake(): void {
    for (const waiter of this.#waiters) waiter();
  }

  /** Resolves at the next change of connectivity; rejects at the call's deadline or abort. */
  #change(call: CallOptions, only: string | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal, deadline } = call;
      const done = (error?: GrpcError): void => {
        this.#waiters.delete(onChange);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        if (error === undefined) resolve();
        else reject(error);
      };
      const onChange = (): void => done();
      const onAbort = (): void =>
        done(new GrpcError(statusCode.cancelled, 'context canceled', { unprocessed: true, cause: signal?.reason }));
      const timer =
        deadline === undefined
          ? undefined
          : setTimeout(
              () =>
                done(new GrpcError(statusCode.deadlineExceeded, `context deadline exceeded: ${this.#outage(only)}`, { unprocessed: true })),
              Math.max(0, deadline - performance.now()),
            );
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(onChange);
    });
  }

  /** What is wrong with the endpoints, in one line. */
  #outage(only: string | undefined): string {
    const slots = only === undefined ? this.#slots : this.#slots.filter((slot) => slot.endpoint.name === only);
    const reasons = new Set(slots.map((slot) => slot.lastError?.message ?? `connecting to ${slot.endpoint.name}`));
    return [...reasons].join('; ');
  }
}

function addressOf({ host, port }: Endpoint): Attributes {
  return { 'server.address': host, 'server.port': port };
}
