// Upstream: github.com/prometheus/common/expfmt/encode.go, github.com/prometheus/client_golang/prometheus/histogram.go
import { ProtoWriter } from '../grpc/protobuf.ts';
import type { Family, MetricType } from '../metrics.ts';
import { Histogram } from '../metrics.ts';
import { zeroThreshold } from '../native-histogram.ts';
import { helpOf, portionSize, rowsOf } from './text.ts';

const types: Readonly<Record<MetricType, number>> = { counter: 0, gauge: 1, histogram: 4 };

/**
 * One metric as an io.prometheus.client.MetricFamily with its length before it; nothing when there is nothing to show. It comes when all of it
 * is written; until then there are empty portions.
 */
export function* renderProtobuf(family: Family, since: number): Generator<Buffer> {
  const rows = rowsOf(family);
  if (rows.length === 0) return;
  const parts: Buffer[] = [];
  let writer = new ProtoWriter(1024);
  writer.string(1, family.options.name).string(2, helpOf(family)).presentInt(3, types[family.type]);
  for (const [index, { labels, child }] of rows.entries()) {
    writer.message(4, (metric) => {
      for (const [name, value] of labels) metric.message(1, (pair) => pair.string(1, name).presentBytes(2, Buffer.from(value)));
      if (child instanceof Histogram) metric.message(7, (histogram) => writeHistogram(histogram, child, since));
      else if (family.type === 'gauge') metric.message(2, (gauge) => gauge.double(1, child.value));
      else metric.message(3, (counter) => counter.double(1, child.value).message(3, (time) => writeTime(time, since)));
    });
    if (index % portionSize !== portionSize - 1) continue;
    parts.push(writer.finish());
    writer = new ProtoWriter(1024);
    yield Buffer.alloc(0);
  }
  const message = Buffer.concat([...parts, writer.finish()]);
  yield lengthOf(message);
  yield message;
}

function writeHistogram(writer: ProtoWriter, { bounds, counts, sum, native, total }: Histogram, since: number): void {
  writer.presentInt(1, total).double(2, sum);
  let cumulated = 0;
  for (const [index, bound] of bounds.entries()) {
    cumulated += counts[index] as number;
    const reached = cumulated;
    writer.message(3, (bucket) => bucket.presentInt(1, reached).double(2, bound));
  }
  if (native !== undefined) {
    writer.signed(5, native.resolution).double(6, zeroThreshold).presentInt(7, native.zeros);
    const spans = [...native.spans()];
    let end = 0;
    for (const { first, counts: run } of spans) {
      const offset = first - end;
      writer.message(12, (span) => span.signed(1, offset).presentInt(2, run.length));
      end = first + run.length;
    }
    // Without any value an empty span says that this is such a histogram.
    if (spans.length === 0 && native.zeros === 0) writer.message(12, (span) => span.signed(1, 0).presentInt(2, 0));
    let last = 0;
    for (const count of spans.flatMap(({ counts: run }) => run)) {
      writer.signed(13, count - last);
      last = count;
    }
  }
  writer.message(15, (time) => writeTime(time, since));
}

function writeTime(writer: ProtoWriter, milliseconds: number): void {
  writer.int(1, Math.floor(milliseconds / 1000)).int(2, (milliseconds % 1000) * 1e6);
}

function lengthOf({ length }: Buffer): Buffer {
  const bytes: number[] = [];
  let rest = length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
