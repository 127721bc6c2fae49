// Upstream: k8s.io/utils/trace/trace.go
import { goQuote } from '../quote.ts';
import type { Attributes, SpanEvent } from './span.ts';
import { Span } from './span.ts';

/** How the parts of text are made that other layers have the rules of. */
export interface SlowTraceOptions {
  /** also what took no longer than it may */
  readonly showsAll: boolean;
  /** as Go shows one, e.g. `1.2s` */
  readonly duration: (milliseconds: number) => string;
  readonly number: () => number;
}

/** Texts about the outermost operations that took longer than they may, with their steps; mostly none. */
export function slowTraces(span: Span, options: SlowTraceOptions): string[] {
  if (tookLong(span)) return [traceText(span, options)];
  return span.items.flatMap((item) => (item instanceof Span ? slowTraces(item, options) : []));
}

function tookLong({ startedAt, endedAt, thresholdMs }: Span): boolean {
  return endedAt !== undefined && (thresholdMs === 0 || endedAt - startedAt >= thresholdMs);
}

function traceText(span: Span, options: SlowTraceOptions): string {
  const number = options.number();
  const total = (span.endedAt ?? span.startedAt) - span.startedAt;
  const fields = fieldsText(span.attributes);
  const indent = `\nTrace[${number}]: `;
  const shown = options.duration(total);
  return (
    `Trace[${number}]: ${goQuote(span.name)} ${fields === '' ? '' : `${fields} `}(${dateText(span.startedAt)}) (total time: ${Math.floor(total)}ms):` +
    `${stepsText(span, indent, stepThreshold(span), options)}${indent}[${shown}] [${shown}] END\n`
  );
}

function stepsText(span: Span, indent: string, threshold: number, options: SlowTraceOptions): string {
  let last = span.startedAt;
  let text = '';
  for (const item of span.items) {
    text += item instanceof Span ? nestedText(item, indent, options) : stepText(item, indent, last, threshold, options);
    last = item instanceof Span ? (item.endedAt ?? item.startedAt) : item.at;
  }
  return text;
}

function stepText({ name, at, attributes }: SpanEvent, indent: string, last: number, threshold: number, options: SlowTraceOptions): string {
  const took = at - last;
  return threshold === 0 || took >= threshold || options.showsAll ? `${indent}---${summary(name, took, at, attributes)}` : '';
}

function nestedText(span: Span, indent: string, options: SlowTraceOptions): string {
  if (!tookLong(span) && !options.showsAll) {
    return span.items.map((item) => (item instanceof Span ? nestedText(item, indent, options) : '')).join('');
  }
  const took = (span.endedAt ?? performance.now()) - span.startedAt;
  return `${indent}[${summary(span.name, took, span.startedAt, span.attributes)}${stepsText(span, `${indent} `, stepThreshold(span), options)}]`;
}

/** Each step's share of the time that all of them may take, without the time that nested operations have of their own. */
function stepThreshold({ thresholdMs, items }: Span): number {
  let left = thresholdMs;
  let shares = items.length + 1;
  for (const item of items) {
    if (!(item instanceof Span) || item.endedAt === undefined) continue;
    left -= item.thresholdMs;
    shares--;
  }
  return left < thresholdMs / 4 ? thresholdMs / 4 / (items.length + 1) : left / shares;
}

function summary(name: string, took: number, at: number, attributes: Attributes | undefined): string {
  const fields = fieldsText(attributes ?? {});
  return `${goQuote(name)} ${fields === '' ? '' : `${fields} `}${Math.floor(took)}ms (${timeText(at)})`;
}

function fieldsText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([key, value]) => `${key}:${value}`)
    .join(',');
}

const months: readonly string[] = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dateText(at: number): string {
  const date = new Date(performance.timeOrigin + at);
  return `${two(date.getDate())}-${months[date.getMonth()]}-${date.getFullYear()} ${timeText(at)}`;
}

function timeText(at: number): string {
  const date = new Date(performance.timeOrigin + at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
