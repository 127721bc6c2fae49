// Upstream: k8s.io/apimachinery/pkg/apis/meta/v1/time_proto.go, k8s.io/apimachinery/pkg/apis/meta/v1/micro_time_proto.go
// Upstream: k8s.io/apimachinery/pkg/api/resource/quantity_proto.go, k8s.io/apimachinery/pkg/util/intstr/generated.pb.go
import { DecodeError, UnusableBodyError } from '../decode-error.ts';
import { formatSeconds, parseSeconds } from './timestamp-text.ts';
import { canonicalQuantity } from './canonical-quantity.ts';
import { escapeForHtml } from '../../html-escape.ts';
import { parseRawJson, rawJsonText } from './raw-json.ts';
import type { MessageNames, Reader } from './reader.ts';
import type { ReverseWriter } from './writer.ts';

/** Values that are scalars in JSON and messages in protobuf: how their content is written (without length) and read. */
export interface MessageScalar {
  write(writer: ReverseWriter, value: unknown): void;
  /** the reader stands at the first byte of the content */
  read(reader: Reader, end: number): unknown;
}

const timestampNames = names('Timestamp', { 1: 'Seconds', 2: 'Nanos' });
const quantityNames = names('Quantity', { 1: 'String_' });
const intOrStringNames = names('IntOrString', { 1: 'Type', 2: 'IntVal', 3: 'StrVal' });
const rawExtensionNames = names('RawExtension', { 1: 'Raw' });
const fieldsV1Names = names('FieldsV1', { 1: 'Raw' });
const jsonNames = names('JSON', { 1: 'Raw' });

export const time: MessageScalar = {
  write(writer, value) {
    if (typeof value !== 'string') return;
    writeTimestamp(writer, parseSeconds(value), 0);
  },
  read(reader, end) {
    if (reader.position === end) return null;
    const { seconds } = readTimestamp(reader, end);
    return `${formatSeconds(seconds)}Z`;
  },
};

export const microTime: MessageScalar = {
  write(writer, value) {
    if (typeof value !== 'string') return;
    const fraction = /\.(\d+)/.exec(value)?.[1] ?? '';
    writeTimestamp(writer, parseSeconds(value), Number(fraction.slice(0, 6).padEnd(6, '0')) * 1000);
  },
  read(reader, end) {
    if (reader.position === end) return null;
    const { seconds, nanos } = readTimestamp(reader, end);
    const micros = Math.trunc(nanos / 1000);
    const carry = Math.floor(micros / 1_000_000);
    const fraction = String(micros - carry * 1_000_000).padStart(6, '0');
    return `${formatSeconds(seconds + carry)}.${fraction}Z`;
  },
};

export const quantity: MessageScalar = {
  write(writer, value) {
    writer.string(typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '0');
    writer.byte(0x0a);
  },
  read(reader, end) {
    let text = '0';
    readFields(reader, end, quantityNames, (tag) => {
      if (tag !== 0x0a) return false;
      text = canonicalQuantity(reader.string(end));
      return true;
    });
    return text;
  },
};

export const intOrString: MessageScalar = {
  write(writer, value) {
    const isText = typeof value === 'string';
    writer.string(isText ? value : '');
    writer.byte(0x1a);
    writer.integer(typeof value === 'number' ? value : 0);
    writer.byte(0x10);
    writer.byte(isText ? 1 : 0);
    writer.byte(0x08);
  },
  read(reader, end) {
    let type: number | bigint = 0;
    let number = 0;
    let text = '';
    readFields(reader, end, intOrStringNames, (tag) => {
      if (tag === 0x08) type = reader.int64(end);
      else if (tag === 0x10) number = reader.int32(end);
      else if (tag === 0x1a) text = reader.string(end);
      else return false;
      return true;
    });
    if (type === 0) return number;
    if (type === 1) return text;
    throw new DecodeError('impossible IntOrString.Type');
  },
};

export const raw: MessageScalar = rawMessage(rawExtensionNames, (text) => {
  try {
    return parseRawJson(text);
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    throw new UnusableBodyError(cause.message, { cause });
  }
});

/** What is no JSON is no set of fields either: as text it is read, and dropped by the field manager as any other that is none. */
export const fieldsV1: MessageScalar = rawMessage(
  fieldsV1Names,
  (text) => {
    if (text === '') return null;
    try {
      return parseRawJson(text);
    } catch (cause) {
      if (!(cause instanceof DecodeError)) throw cause;
      return text;
    }
  },
  (value, writer) => writer.knownText(value) ?? rawJsonText(value),
);
/** A quirk kept: unlike other raw values it has been through Go's encoder, which escapes. */
export const json: MessageScalar = rawMessage(
  jsonNames,
  (text) => (text === '' ? null : parseRawJson(text)),
  (value) => escapeForHtml(rawJsonText(value)),
);

function rawMessage(
  messageNames: MessageNames,
  parse: (text: string) => unknown,
  toText: (value: unknown, writer: ReverseWriter) => string = rawJsonText,
): MessageScalar {
  return {
    write(writer, value) {
      if (value === undefined || value === null) return;
      writer.string(toText(value, writer));
      writer.byte(0x0a);
    },
    read(reader, end) {
      let text: string | undefined;
      readFields(reader, end, messageNames, (tag) => {
        if (tag !== 0x0a) return false;
        text = reader.string(end);
        return true;
      });
      return text === undefined ? null : parse(text);
    },
  };
}

function names(name: string, fields: Record<number, string>): MessageNames {
  return { name, fields, packable: new Set() };
}

/** The loop over the fields of a small message; `take` says whether the tag was one of its own. */
function readFields(reader: Reader, end: number, messageNames: MessageNames, take: (tag: number) => boolean): void {
  while (reader.position < end) {
    const start = reader.position;
    const tag = reader.tag(end);
    if (!take(tag)) reader.other(tag, start, end, messageNames);
  }
}

function writeTimestamp(writer: ReverseWriter, seconds: number, nanos: number): void {
  writer.integer(nanos);
  writer.byte(0x10);
  writer.integer(seconds);
  writer.byte(0x08);
}

function readTimestamp(reader: Reader, end: number): { seconds: number; nanos: number } {
  let seconds: number | bigint = 0;
  let nanos = 0;
  readFields(reader, end, timestampNames, (tag) => {
    if (tag === 0x08) seconds = reader.int64(end);
    else if (tag === 0x10) nanos = reader.int32(end);
    else return false;
    return true;
  });
  return { seconds: Number(seconds), nanos };
}
