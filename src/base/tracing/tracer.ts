// Upstream: k8s.io/component-base/tracing/utils.go#NewProvider
import type { Logger } from '../log.ts';
import { slowTraces } from './slow-trace.ts';
import type { SpanSink } from './span.ts';
import { scopes, Span, spanKind } from './span.ts';
import type { TraceContext } from './trace-context.ts';
import { newSpanId, newTraceId } from './trace-context.ts';

export interface TracerOptions {
  /** undefined: no trace is exported */
  readonly exporter: { add(span: Span): void } | undefined;
  /** how many of a million requests that belong to no trace become one */
  readonly samplingRatePerMillion: number;
  readonly log: Logger;
  /** milliseconds, as Go shows durations */
  readonly duration: (milliseconds: number) => string;
}

/** verbosity from which on slow operations are logged, and from which on with all their steps */
const slowVerbosity = 2;
const allStepsVerbosity = 4;

/** Begins traces. Costs a look at the verbosity for requests that are neither exported nor logged. */
export class Tracer implements SpanSink {
  readonly #options: TracerOptions;

  constructor(options: TracerOptions) {
    this.#options = options;
  }

  get exports(): boolean {
    return this.#options.exporter !== undefined;
  }

  get logsSlow(): boolean {
    return this.#options.log.v(slowVerbosity) !== undefined;
  }

  /**
   * Of a client of whom we know what it is a part of (`remote`), which counts if it is to be trusted. Undefined: nothing is recorded, and
   * nothing passed on.
   */
  startRequest(remote: TraceContext | undefined, isTrusted: boolean, startedAt: number, baggage = ''): Span | undefined {
    const parent = isTrusted ? remote : undefined;
    const isExported = this.#options.exporter !== undefined && (parent?.isSampled ?? this.#samples());
    if (!isExported && parent === undefined && baggage === '' && !this.logsSlow) return undefined;
    const context = isExported
      ? { traceId: parent?.traceId ?? newTraceId(), spanId: newSpanId(), isSampled: true, state: parent?.state ?? '' }
      : parent;
    const link = isTrusted ? undefined : remote;
    const start = { name: '', scope: scopes.http, kind: spanKind.server, attributes: undefined, parentId: parent?.spanId ?? '' };
    return new Span({ ...start, context, isExported, startedAt, link, baggage }, this);
  }

  exported(span: Span): void {
    this.#options.exporter?.add(span);
  }

  ended(span: Span): void {
    const { log, duration } = this.#options;
    const lines = log.v(slowVerbosity);
    if (lines === undefined) return;
    const number = (): number => Math.floor(Math.random() * 0x7fffffff);
    const showsAll = log.v(allStepsVerbosity) !== undefined;
    for (const text of slowTraces(span, { showsAll, duration, number })) lines.info(text);
  }

  #samples(): boolean {
    const { samplingRatePerMillion } = this.#options;
    return samplingRatePerMillion > 0 && Math.random() * 1_000_000 < samplingRatePerMillion;
  }
}
