// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go#NewRawSerializer, k8s.io/apimachinery/pkg/util/framer/framer.go
import { DecodeError } from '../decode-error.ts';
import { prefixed } from './list.ts';
import { Reader } from './reader.ts';
import type { MessageNames } from './reader.ts';

const watchEventNames: MessageNames = { name: 'WatchEvent', fields: { 1: 'Type', 2: 'Object' }, packable: new Set() };
const rawExtensionNames: MessageNames = { name: 'RawExtension', fields: { 1: 'Raw' }, packable: new Set() };

/** One event of a watch as it goes over the wire: its length in four bytes, and a WatchEvent without an envelope. */
export function encodeWatchFrame(type: string, envelopedObject: Uint8Array): Buffer {
  const typeField = prefixed(0x0a, Buffer.from(type));
  const objectField = prefixed(0x12, prefixed(0x0a, envelopedObject));
  const head = Buffer.allocUnsafe(4);
  head.writeUInt32BE(typeField.length + objectField.length);
  return Buffer.concat([head, typeField, objectField]);
}

export interface WatchFrame {
  readonly type: string;
  /** an enveloped object */
  readonly object: Buffer;
}

export function decodeWatchEvent(bytes: Buffer): WatchFrame {
  const reader = new Reader(bytes);
  const end = bytes.length;
  let type = '';
  let object: Buffer = Buffer.alloc(0);
  while (reader.position < end) {
    const start = reader.position;
    const tag = reader.tag(end);
    if (tag === 0x0a) type = reader.string(end);
    else if (tag === 0x12) {
      const to = reader.boundary(end);
      while (reader.position < to) {
        const from = reader.position;
        const inner = reader.tag(to);
        if (inner === 0x0a) {
          const last = reader.boundary(to);
          object = bytes.subarray(reader.position, last);
          reader.position = last;
        } else reader.other(inner, from, to, rawExtensionNames);
      }
    } else reader.other(tag, start, end, watchEventNames);
  }
  return { type, object };
}

/** Cuts a stream into frames; the last piece of a chunk waits for the rest. A frame beyond the limit is an error, not an allocation. */
export class FrameReader {
  readonly #limit: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(limit: number = 16 * 1024 * 1024) {
    this.#limit = limit;
  }

  push(chunk: Buffer): Buffer[] {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Buffer[] = [];
    while (rest.length >= 4) {
      const length = rest.readUInt32BE(0);
      if (length > this.#limit) throw new DecodeError('object to decode was longer than maximum allowed size');
      if (rest.length < 4 + length) break;
      frames.push(rest.subarray(4, 4 + length));
      rest = rest.subarray(4 + length);
    }
    this.#rest = rest;
    return frames;
  }
}
