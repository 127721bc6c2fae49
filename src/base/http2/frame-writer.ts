// RFC 9113, section 6. Upstream: golang.org/x/net/http2/write.go
import type { DateText } from './date-text.ts';
import { defaultFrameSize, flag, frameHeaderSize, frameType, writeFrameHeader, writeUint32 } from './frames.ts';
import { HpackEncoder } from './hpack-encoder.ts';
import type { Output } from './output.ts';
import type { OutgoingFields } from './stream.ts';

const nothing = Buffer.alloc(0);

/** Writes the frames of one connection, all but those with data. */
export class FrameWriter {
  readonly #output: Output;
  readonly #date: DateText;
  readonly #encoder = new HpackEncoder();
  /** the largest payload that the peer takes */
  peerFrameSize: number = defaultFrameSize;

  constructor(output: Output, date: DateText) {
    this.#output = output;
    this.#date = date;
  }

  /** The peer keeps a table of headers of this size. */
  resizeTable(size: number): void {
    this.#encoder.resize(size);
  }

  frame(type: number, flags: number, stream: number, payload: Buffer = nothing): void {
    const at = this.#output.reserve(frameHeaderSize + payload.length);
    const next = writeFrameHeader(this.#output.buffer, at, payload.length, type, flags, stream);
    this.#output.used = next + payload.copy(this.#output.buffer, next);
  }

  settings(values: readonly (readonly [id: number, value: number])[]): void {
    const payload = Buffer.allocUnsafe(values.length * 6);
    for (const [index, [id, value]] of values.entries()) {
      payload.writeUInt16BE(id, index * 6);
      payload.writeUInt32BE(value, index * 6 + 2);
    }
    this.frame(frameType.settings, 0, 0, payload);
  }

  reset(stream: number, code: number): void {
    this.#number(frameType.reset, stream, code);
  }

  windowUpdate(stream: number, increment: number): void {
    this.#number(frameType.windowUpdate, stream, increment);
  }

  goaway(lastStream: number, code: number): void {
    const at = this.#output.reserve(frameHeaderSize + 8);
    const { buffer } = this.#output;
    const next = writeUint32(buffer, writeFrameHeader(buffer, at, 8, frameType.goaway, 0, 0), lastStream);
    this.#output.used = writeUint32(buffer, next, code);
  }

  headers(stream: number, status: number, fields: OutgoingFields, end: boolean): void {
    const date = this.#date.now();
    const start = this.#output.reserve(frameHeaderSize + headersBound(fields) + date.length);
    const { buffer } = this.#output;
    const encoder = this.#encoder;
    let at = encoder.begin(buffer, start + frameHeaderSize);
    at = encoder.field(buffer, at, ':status', String(status));
    let hasDate = false;
    for (const name in fields) {
      const value = fields[name] as string | readonly string[];
      if (name === 'date') hasDate = true;
      if (typeof value === 'string') at = encoder.field(buffer, at, name, value);
      else for (const one of value) at = encoder.field(buffer, at, name, one);
    }
    if (!hasDate) at = encoder.field(buffer, at, 'date', date);
    this.#block(stream, start, at, end);
  }

  /** `lines`: names and values in turn */
  request(stream: number, lines: readonly string[], end: boolean): void {
    let bound = frameHeaderSize + 16;
    for (let index = 0; index < lines.length; index += 2) bound += HpackEncoder.bound(lines[index] as string, lines[index + 1] as string);
    const start = this.#output.reserve(bound);
    const { buffer } = this.#output;
    const encoder = this.#encoder;
    let at = encoder.begin(buffer, start + frameHeaderSize);
    for (let index = 0; index < lines.length; index += 2) {
      at = encoder.field(buffer, at, lines[index] as string, lines[index + 1] as string);
    }
    this.#block(stream, start, at, end);
  }

  /** The block lies behind the room for the header of a frame, which begins at `start`. */
  #block(stream: number, start: number, at: number, end: boolean): void {
    const { buffer } = this.#output;
    const length = at - start - frameHeaderSize;
    const flags = end ? flag.endStream : 0;
    if (length <= this.peerFrameSize) {
      writeFrameHeader(buffer, start, length, frameType.headers, flags | flag.endHeaders, stream);
      this.#output.used = at;
    } else {
      this.#inFrames(stream, Buffer.from(buffer.subarray(start + frameHeaderSize, at)), flags);
    }
  }

  /** A response before the response. */
  informational(stream: number, status: number): void {
    const start = this.#output.reserve(frameHeaderSize + 64);
    const { buffer } = this.#output;
    const first = this.#encoder.begin(buffer, start + frameHeaderSize);
    this.#output.used = this.#encoder.field(buffer, first, ':status', String(status));
    writeFrameHeader(buffer, start, this.#output.used - start - frameHeaderSize, frameType.headers, flag.endHeaders, stream);
  }

  /** A header block that is larger than a frame. */
  #inFrames(stream: number, block: Buffer, flags: number): void {
    for (let start = 0; start < block.length; start += this.peerFrameSize) {
      const end = Math.min(block.length, start + this.peerFrameSize);
      const last = end === block.length ? flag.endHeaders : 0;
      const type = start === 0 ? frameType.headers : frameType.continuation;
      this.frame(type, last | (start === 0 ? flags : 0), stream, block.subarray(start, end));
    }
  }

  #number(type: number, stream: number, value: number): void {
    const at = this.#output.reserve(frameHeaderSize + 4);
    const next = writeFrameHeader(this.#output.buffer, at, 4, type, 0, stream);
    this.#output.used = writeUint32(this.#output.buffer, next, value);
  }
}

/** Bytes that they take at most, the status and the name of the date included. */
function headersBound(fields: OutgoingFields): number {
  let bound = 64;
  for (const name in fields) {
    const value = fields[name] as string | readonly string[];
    if (typeof value === 'string') bound += HpackEncoder.bound(name, value);
    else for (const one of value) bound += HpackEncoder.bound(name, one);
  }
  return bound;
}
