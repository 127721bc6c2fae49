// OpenTelemetry's protocol: opentelemetry/proto/trace/v1/trace.proto, opentelemetry/proto/collector/trace/v1/trace_service.proto
import { ProtoWriter } from '../grpc/protobuf.ts';
import type { Attributes, AttributeValue, Span } from '../tracing/span.ts';

const statusError = 2;

/** An ExportTraceServiceRequest. */
export function encodeSpans(spans: readonly Span[], resource: Attributes): Buffer {
  const byScope = Map.groupBy(spans, ({ scope }) => scope);
  return new ProtoWriter(16 << 10)
    .message(1, (resourceSpans) => {
      resourceSpans.message(1, (one) => attributes(one, 1, resource));
      for (const [scope, members] of byScope) {
        resourceSpans.message(2, (scopeSpans) => {
          scopeSpans.message(1, (one) => void one.string(1, scope));
          for (const span of members) scopeSpans.message(2, (one) => encodeSpan(one, span));
        });
      }
    })
    .finish();
}

function encodeSpan(writer: ProtoWriter, span: Span): void {
  const { context, parentId, link, name, kind, startedAt, endedAt = startedAt } = span;
  if (context === undefined) return;
  writer.bytes(1, Buffer.from(context.traceId, 'hex')).bytes(2, Buffer.from(context.spanId, 'hex')).string(3, context.state);
  writer.bytes(4, Buffer.from(parentId, 'hex')).string(5, name).int(6, kind);
  writer.fixed64(7, nanoseconds(startedAt)).fixed64(8, nanoseconds(endedAt));
  attributes(writer, 9, span.attributes);
  for (const event of span.events) {
    writer.message(11, (one) => {
      one.fixed64(1, nanoseconds(event.at)).string(2, event.name);
      attributes(one, 3, event.attributes ?? {});
    });
  }
  if (link !== undefined) {
    writer.message(13, (one) => void one.bytes(1, Buffer.from(link.traceId, 'hex')).bytes(2, Buffer.from(link.spanId, 'hex')));
  }
  writer.message(15, (one) => void one.int(3, span.isError ? statusError : 0));
}

function attributes(writer: ProtoWriter, field: number, values: Attributes): void {
  for (const key in values) {
    writer.message(field, (one) => {
      one.string(1, key);
      one.message(2, (value) => attribute(value, values[key] as AttributeValue));
    });
  }
}

function attribute(writer: ProtoWriter, value: AttributeValue): void {
  if (typeof value === 'string') writer.presentBytes(1, Buffer.from(value));
  else if (typeof value === 'boolean') writer.presentInt(2, value ? 1 : 0);
  else writer.presentInt(3, Math.round(value));
}

/** From the monotonic clock to nanoseconds since 1970. */
function nanoseconds(at: number): bigint {
  return BigInt(Math.round((performance.timeOrigin + at) * 1000)) * 1000n;
}
