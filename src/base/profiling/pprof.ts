// Upstream: std/runtime/pprof/proto.go
import { ProtoWriter } from '../grpc/protobuf.ts';

/** A function that runs, or allocates. */
export interface ProfiledFunction {
  readonly name: string;
  readonly file: string;
  /** from one on; 0: not known */
  readonly line: number;
}

export interface ValueType {
  readonly type: string;
  readonly unit: string;
}

export interface Sample {
  /** innermost first */
  readonly stack: readonly ProfiledFunction[];
  /** one for each type of the profile */
  readonly values: readonly number[];
}

export interface Profile {
  readonly types: readonly ValueType[];
  readonly samples: readonly Sample[];
  /** milliseconds since 1970 */
  readonly at: number;
  readonly durationMs?: number;
  /** what one sample stands for */
  readonly period?: { readonly type: ValueType; readonly value: number };
  readonly defaultType?: string;
}

/** The protobuf form of profiles that `go tool pprof` reads; it may be compressed or not. */
export function encodeProfile({ types, samples, at, durationMs = 0, period, defaultType = '' }: Profile): Buffer {
  const texts = new Numbers<string>();
  texts.of('');
  const text = (value: string): number => texts.of(value) - 1;
  const functions = new Numbers<string>();
  const known: ProfiledFunction[] = [];
  const functionId = (one: ProfiledFunction): number => {
    const id = functions.of(`${one.name}\n${one.file}\n${one.line}`);
    if (id > known.length) known.push(one);
    return id;
  };
  const out = new ProtoWriter(64 << 10);
  const valueType = ({ type, unit }: ValueType): ((writer: ProtoWriter) => void) => {
    const [typeText, unitText] = [text(type), text(unit)];
    return (writer) => void writer.int(1, typeText).int(2, unitText);
  };
  for (const type of types) out.message(1, valueType(type));
  for (const { stack, values } of samples) {
    out.message(2, (writer) => {
      // One location for each function: they have the same numbers.
      for (const one of stack) writer.presentInt(1, functionId(one));
      for (const value of values) writer.presentInt(2, value);
    });
  }
  // One mapping, that says that nothing is left to look up.
  out.message(3, (writer) => void writer.int(1, 1).bool(7, true).bool(8, true).bool(9, true));
  for (const [index, { name, file, line }] of known.entries()) {
    const id = index + 1;
    out.message(
      4,
      (writer) =>
        void writer
          .int(1, id)
          .int(2, 1)
          .message(4, (entry) => void entry.int(1, id).int(2, line)),
    );
    const [nameText, fileText] = [text(name), text(file)];
    out.message(5, (writer) => void writer.int(1, id).int(2, nameText).int(3, nameText).int(4, fileText).int(5, line));
  }
  const periodType = period && valueType(period.type);
  const defaultText = text(defaultType);
  for (const value of texts.values) out.presentBytes(6, Buffer.from(value));
  out.bigInt(9, BigInt(Math.round(at)) * 1_000_000n).bigInt(10, BigInt(Math.round(durationMs * 1e6)));
  if (period !== undefined && periodType !== undefined) out.message(11, periodType).int(12, period.value);
  return out.int(14, defaultText).finish();
}

/** Numbers for values, from one on. */
class Numbers<T> {
  readonly #ids = new Map<T, number>();

  of(value: T): number {
    let id = this.#ids.get(value);
    if (id === undefined) this.#ids.set(value, (id = this.#ids.size + 1));
    return id;
  }

  get values(): Iterable<T> {
    return this.#ids.keys();
  }
}
