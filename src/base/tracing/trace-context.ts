// W3C Trace Context: https://www.w3.org/TR/trace-context/
import { randomBytes } from 'node:crypto';

/** Which trace an operation belongs to, and what it is a part of. */
export interface TraceContext {
  /** 32 hexadecimal digits */
  readonly traceId: string;
  /** 16 hexadecimal digits */
  readonly spanId: string;
  readonly isSampled: boolean;
  /** of vendors, passed on as it came */
  readonly state: string;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** longer ones are not worth passing on */
const mostState = 512;

/** What a `traceparent` header says; undefined: nothing that can be understood. */
export function parseTraceParent(header: string | undefined, state = ''): TraceContext | undefined {
  if (header === undefined) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state: state.length <= mostState ? state : '' };
}

export function traceParentText({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

export function newSpanId(): string {
  return randomBytes(8).toString('hex');
}
