// Upstream: go.opentelemetry.io/otel/sdk/trace/batch_span_processor.go, go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc
import type { Clock } from '../clock.ts';
import { Channel } from '../grpc/channel.ts';
import { GrpcError } from '../grpc/status.ts';
import { outsideSpans } from '../tracing/active-span.ts';
import { encodeSpans } from './encode-spans.ts';
import type { Attributes, Span } from '../tracing/span.ts';

const method = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
/** spans that wait to be sent; what comes beyond is dropped */
const mostWaiting = 2048;
const mostPerCall = 512;
const intervalMs = 5000;
const callTimeoutMs = 10_000;
/** a server that stops does not wait longer for it */
const closeLimitMs = 1000;

export interface ExporterOptions {
  /** `host:port`, or `unix:///path` */
  readonly endpoint: string;
  readonly resource: Attributes;
  readonly clock: Clock;
  /** called once for each time of trouble */
  readonly onTrouble: (error: unknown, dropped: number) => void;
}

/** Sends spans to a collector, in batches, for as long as it takes them: a collector that is gone costs what waits, and no request waits for it. */
export class SpanExporter {
  readonly #options: ExporterOptions;
  readonly #channel: Channel;
  #waiting: Span[] = [];
  #timer: Disposable | undefined;
  #sending: Promise<void> | undefined;
  readonly #closing = new AbortController();
  #dropped = 0;
  #isTroubled = false;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#channel = new Channel({ endpoints: [endpointOf(options.endpoint)] });
  }

  add(span: Span): void {
    if (this.#waiting.length >= mostWaiting) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= mostPerCall) this.#send();
    else this.#timer ??= this.#options.clock.setTimeout(() => this.#send(), intervalMs);
  }

  /** Sends what waits, if the collector takes it soon; then no more. */
  async close(): Promise<void> {
    const { clock } = this.#options;
    const limit = clock.setTimeout(() => this.#closing.abort(), this.#isTroubled ? 0 : closeLimitMs);
    await this.#sending;
    if (!this.#closing.signal.aborted) this.#send();
    await this.#sending;
    limit[Symbol.dispose]();
    this.#closing.abort();
    this.#timer?.[Symbol.dispose]();
    this.#channel[Symbol.dispose]();
  }

  #send(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    if (this.#sending !== undefined || this.#waiting.length === 0 || this.#closing.signal.aborted) return;
    const batch = this.#waiting.slice(0, mostPerCall);
    this.#waiting = this.#waiting.slice(mostPerCall);
    this.#sending = this.#export(batch).finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length >= mostPerCall) this.#send();
      else if (this.#waiting.length > 0) this.#timer ??= this.#options.clock.setTimeout(() => this.#send(), intervalMs);
    });
  }

  async #export(batch: readonly Span[]): Promise<void> {
    try {
      // The timer was set by a request, whose trace this is no part of.
      const send = (): Promise<Buffer> =>
        this.#channel.unary(method, encodeSpans(batch, this.#options.resource), { timeoutMs: callTimeoutMs, signal: this.#closing.signal });
      await outsideSpans(send);
      this.#isTroubled = false;
    } catch (error) {
      // They are not sent again: newer ones are worth as much.
      this.#dropped += batch.length;
      if (!this.#isTroubled || !(error instanceof GrpcError)) this.#options.onTrouble(error, this.#dropped);
      this.#isTroubled = true;
      this.#dropped = 0;
    }
  }
}

/** gRPC's names for places: `dns://` has an authority before the host. */
function endpointOf(endpoint: string): string {
  if (endpoint.startsWith('unix:')) return endpoint;
  if (endpoint.startsWith('unix-abstract:')) return endpoint.replace(/^unix-abstract:(?:\/\/)?/, 'unix:///@');
  return `http://${endpoint.replace(/^dns:\/*(?:[^/]*\/)?/, '')}`;
}
