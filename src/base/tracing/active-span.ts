import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Span } from './span.ts';
import { traceParentText } from './trace-context.ts';

/** The operation under way, wherever it has got to. Of no server: what is in it belongs to one request. */
const active = new AsyncLocalStorage<Span | undefined>();

export function activeSpan(): Span | undefined {
  const span = active.getStore();
  return span === undefined || span.isOver ? undefined : span;
}

/** Everything that `run` does, and begins, is part of the span. */
export function inSpan<T>(span: Span | undefined, run: () => T): T {
  return span === undefined ? run() : active.run(span, run);
}

/** What `run` does is part of nothing. */
export function outsideSpans<T>(run: () => T): T {
  return active.run(undefined, run);
}

/** A part of the operation under way; undefined: there is none, and whatever would be said of it need not be made. */
export function startSpan(name: string, attributes?: () => Attributes): Span | undefined {
  const outer = activeSpan();
  return outer?.start(name, attributes?.());
}

/** Headers that let another server continue the trace of a span, and what the client wants passed on; none where there is neither. */
export function traceHeaders(span: Span | undefined): Record<string, string> {
  if (span === undefined) return {};
  const { context, baggage } = span;
  const headers: Record<string, string> = baggage === '' ? {} : { baggage };
  if (context === undefined) return headers;
  return { ...headers, traceparent: traceParentText(context), ...(context.state !== '' && { tracestate: context.state }) };
}
