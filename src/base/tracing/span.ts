// Upstream: k8s.io/component-base/tracing/tracing.go
import type { TraceContext } from './trace-context.ts';
import { newSpanId } from './trace-context.ts';

export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;

export const spanKind = { internal: 1, server: 2, client: 3 } as const;
export type SpanKind = (typeof spanKind)[keyof typeof spanKind];

/** names of what makes spans; dashboards know them */
export const scopes = {
  component: 'k8s.io/component-base/tracing',
  /** the mistake in the name is upstream's */
  filter: 'k8s.op/apiserver/pkg/endpoints/filterlatency',
  http: 'go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp',
  grpc: 'go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc',
} as const;

export interface SpanEvent {
  readonly name: string;
  /** of the monotonic clock */
  readonly at: number;
  readonly attributes: Attributes | undefined;
}

export interface SpanStart {
  readonly name: string;
  readonly scope: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes | undefined;
  readonly startedAt?: number | undefined;
  /** the trace that it is part of; undefined: of none */
  readonly context: TraceContext | undefined;
  /** or only passed on to others that are called */
  readonly isExported: boolean;
  readonly parentId: string;
  /** the context of another trace that led to it */
  readonly link?: TraceContext | undefined;
  /** what the client wants passed on to every server that is called; '' for nothing */
  readonly baggage: string;
}

/** Where ended spans go. */
export interface SpanSink {
  /** a span of a trace that is exported */
  exported(span: Span): void;
  /** an operation that is part of no other; it may have taken long */
  ended(span: Span): void;
  /** whether operations that take long are logged */
  readonly logsSlow: boolean;
}

/** A named operation with a beginning and an end: part of a trace that is exported, or of one that is logged when it took long, or both. */
export class Span {
  name: string;
  readonly scope: string;
  readonly kind: SpanKind;
  readonly parentId: string;
  readonly context: TraceContext | undefined;
  readonly isExported: boolean;
  readonly link: TraceContext | undefined;
  readonly baggage: string;
  readonly startedAt: number;
  /** what happened during it, in order: events, and operations that were parts of it */
  readonly items: (SpanEvent | Span)[] = [];
  endedAt: number | undefined;
  /** after which it is worth a line in the log */
  thresholdMs = 0;
  isError = false;
  /** of the operation that is logged when it takes long; undefined: this one is */
  readonly #outer: Span | undefined;
  readonly #root: Span;
  readonly #sink: SpanSink;
  #attributes: Record<string, AttributeValue>;

  constructor(start: SpanStart, sink: SpanSink, outer?: Span, root?: Span) {
    this.name = start.name;
    this.scope = start.scope;
    this.kind = start.kind;
    this.parentId = start.parentId;
    this.context = start.context;
    this.isExported = start.isExported;
    this.link = start.link;
    this.baggage = start.baggage;
    this.startedAt = start.startedAt ?? performance.now();
    this.#attributes = { ...start.attributes };
    this.#sink = sink;
    this.#outer = outer;
    this.#root = root ?? this;
  }

  /** The whole request has ended: what goes on in its name, such as a loop that it began, is no part of it. */
  get isOver(): boolean {
    return this.#root.endedAt !== undefined;
  }

  get attributes(): Attributes {
    return this.#attributes;
  }

  get events(): readonly SpanEvent[] {
    return this.items.filter((item): item is SpanEvent => !(item instanceof Span));
  }

  /** A part of this operation. */
  start(name: string, attributes?: Attributes): Span {
    const outer = this.#isTimed ? this : this.#outer;
    const span = new Span(
      { name, scope: scopes.component, kind: spanKind.internal, attributes, ...this.#childContext() },
      this.#sink,
      outer,
    );
    if (this.#sink.logsSlow) outer?.items.push(span);
    return span;
  }

  /** A part that only an exported trace shows; undefined: it is not exported. */
  startExported(name: string, scope: string, kind: SpanKind, attributes?: Attributes): Span | undefined {
    if (!this.isExported) return undefined;
    return new Span({ name, scope, kind, attributes, ...this.#childContext() }, this.#sink, this.#isTimed ? this : this.#outer, this.#root);
  }

  event(name: string, attributes?: Attributes): void {
    this.items.push({ name, at: performance.now(), attributes });
  }

  set(attributes: Attributes): void {
    Object.assign(this.#attributes, attributes);
  }

  /** `thresholdMs`: what takes longer is logged, when everything around it has ended. */
  end(thresholdMs = 0): void {
    if (this.endedAt !== undefined) return;
    this.endedAt = performance.now();
    this.thresholdMs = thresholdMs;
    if (this.isExported) this.#sink.exported(this);
    if (this.#isTimed && this.#outer === undefined) this.#sink.ended(this);
  }

  get #isTimed(): boolean {
    return this.scope === scopes.component;
  }

  #childContext(): Pick<SpanStart, 'context' | 'parentId' | 'isExported' | 'baggage'> {
    const { context, isExported, baggage } = this;
    if (context === undefined || !isExported) return { context, parentId: '', isExported, baggage };
    return { context: { ...context, spanId: newSpanId() }, parentId: context.spanId, isExported, baggage };
  }
}
