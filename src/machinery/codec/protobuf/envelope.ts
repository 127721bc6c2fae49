// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go, k8s.io/apimachinery/pkg/runtime/types_proto.go
import { DecodeError } from '../decode-error.ts';
import type { TypeMeta } from './compile-decoder.ts';
import { Reader } from './reader.ts';
import type { MessageNames } from './reader.ts';
import { ReverseWriter } from './writer.ts';

/** `k8s\0`, before every enveloped object on the wire and in etcd. */
export const magic: Readonly<Uint8Array> = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** runtime.Unknown: what an object is, and its message. */
export interface Envelope {
  readonly typeMeta: TypeMeta;
  readonly raw: Buffer;
  readonly contentEncoding: string;
  readonly contentType: string;
}

const unknownNames: MessageNames = {
  name: 'Unknown',
  fields: { 1: 'TypeMeta', 2: 'Raw', 3: 'ContentEncoding', 4: 'ContentType' },
  packable: new Set(),
};
const typeMetaNames: MessageNames = { name: 'TypeMeta', fields: { 1: 'APIVersion', 2: 'Kind' }, packable: new Set() };

/** What comes before and after the message in an envelope, for writing a message of known length without copying it. */
export function envelopeAround(typeMeta: TypeMeta, length: number): { readonly before: Buffer; readonly after: Buffer } {
  const writer = new ReverseWriter(256);
  beginEnvelope(writer, typeMeta, length);
  const before = writer.finish();
  writer.reset();
  endEnvelope(writer);
  return { before, after: writer.finish() };
}

/** What comes before a message of this length. */
export function beginEnvelope(writer: ReverseWriter, typeMeta: TypeMeta, length: number): void {
  writer.varint(length);
  writer.byte(0x12);
  const mark = writer.size;
  writer.string(typeMeta.kind);
  writer.byte(0x12);
  writer.string(typeMeta.apiVersion);
  writer.byte(0x0a);
  writer.lengthSince(mark);
  writer.byte(0x0a);
  writer.rawContent(magic);
}

/** What comes after it: empty content encoding and content type are written all the same. */
export function endEnvelope(writer: ReverseWriter): void {
  writer.tag2(0x22, 0x00);
  writer.tag2(0x1a, 0x00);
}

export function encodeEnvelope(message: Uint8Array, typeMeta: TypeMeta): Buffer {
  const { before, after } = envelopeAround(typeMeta, message.length);
  return Buffer.concat([before, message, after], before.length + message.length + after.length);
}

export function hasMagic(bytes: Uint8Array): boolean {
  return bytes.length >= magic.length && magic.every((byte, i) => bytes[i] === byte);
}

export function decodeEnvelope(bytes: Buffer): Envelope {
  if (bytes.length === 0) throw new DecodeError('empty data');
  if (!hasMagic(bytes)) {
    throw new DecodeError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  if (bytes.length === magic.length) throw new DecodeError('empty body');
  const reader = new Reader(bytes);
  reader.position = magic.length;
  const end = bytes.length;
  let apiVersion = '';
  let kind = '';
  let raw: Buffer = Buffer.alloc(0);
  let contentEncoding = '';
  let contentType = '';
  while (reader.position < end) {
    const start = reader.position;
    const tag = reader.tag(end);
    if (tag === 0x0a) {
      const to = reader.boundary(end);
      while (reader.position < to) {
        const inner = reader.position;
        const field = reader.tag(to);
        if (field === 0x0a) apiVersion = reader.string(to);
        else if (field === 0x12) kind = reader.string(to);
        else reader.other(field, inner, to, typeMetaNames);
      }
    } else if (tag === 0x12) {
      const to = reader.boundary(end);
      raw = bytes.subarray(reader.position, to);
      reader.position = to;
    } else if (tag === 0x1a) contentEncoding = reader.string(end);
    else if (tag === 0x22) contentType = reader.string(end);
    else reader.other(tag, start, end, unknownNames);
  }
  return { typeMeta: { apiVersion, kind }, raw, contentEncoding, contentType };
}
