// SPDY/3.1 as https://www.chromium.org/spdy/spdy-protocol/spdy-protocol-draft3-1/ describes it: what it takes to open streams.

export const frameTypes = Object.freeze({ synStream: 1, synReply: 2, rstStream: 3, settings: 4, ping: 6, goAway: 7 });

export type Frame =
  | { readonly kind: 'data'; readonly stream: number; readonly last: boolean; readonly payload: Buffer }
  | { readonly kind: 'control'; readonly type: number; readonly last: boolean; readonly payload: Buffer };

const headLength = 8;
const controlBit = 0x8000_0000;
const version = 3;
const finFlag = 1;

export function dataFrame(stream: number, payload: Uint8Array, last: boolean): Buffer {
  const frame = Buffer.allocUnsafe(headLength + payload.length);
  frame.writeUInt32BE(stream, 0);
  writeLength(frame, payload.length, last);
  frame.set(payload, headLength);
  return frame;
}

export function controlFrame(type: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headLength + payload.length);
  frame.writeUInt32BE(controlBit + version * 0x1_0000 + type, 0);
  writeLength(frame, payload.length, false);
  frame.set(payload, headLength);
  return frame;
}

function writeLength(frame: Buffer, length: number, last: boolean): void {
  frame.writeUInt32BE((last ? finFlag : 0) * 0x100_0000 + length, 4);
}

/** Frames out of bytes that come in pieces of any size. */
export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0);
  /** pieces of a frame that is not complete: put together once, when it is */
  #waiting: Buffer[] = [];
  #missing = 0;

  *read(chunk: Buffer): Generator<Frame> {
    if (chunk.length < this.#missing) {
      this.#missing -= chunk.length;
      this.#waiting.push(chunk);
      return;
    }
    this.#bytes = this.#bytes.length + this.#waiting.length === 0 ? chunk : Buffer.concat([this.#bytes, ...this.#waiting, chunk]);
    this.#waiting = [];
    this.#missing = 0;
    while (this.#bytes.length >= headLength) {
      const [first, second] = [this.#bytes.readUInt32BE(0), this.#bytes.readUInt32BE(4)];
      const end = headLength + (second & 0xff_ffff);
      if (this.#bytes.length < end) {
        this.#missing = end - this.#bytes.length;
        return;
      }
      const payload = this.#bytes.subarray(headLength, end);
      const last = (second >>> 24) % 2 === finFlag;
      this.#bytes = this.#bytes.subarray(end);
      if (first < controlBit) yield { kind: 'data', stream: first, last, payload };
      else yield { kind: 'control', type: first & 0xffff, last, payload };
    }
  }
}

/** Begins a zlib stream whose reader must know the dictionary of SPDY/3, by its checksum. */
const zlibHead = Buffer.from([0x78, 0x20, 0xe3, 0xc6, 0xa7, 0xc2]);
/** A reader gives away what it has read when it sees this. */
const zlibFlush = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff]);

/** Header blocks of one connection: one zlib stream, of blocks that are stored and not compressed. They are few and short. */
export class HeaderWriter {
  #begun = false;

  block(headers: Readonly<Record<string, string>>): Buffer {
    const entries = Object.entries(headers);
    const plain = Buffer.concat([uint32(entries.length), ...entries.flatMap(([name, value]) => [sized(name.toLowerCase()), sized(value)])]);
    const stored = Buffer.from([0, plain.length & 0xff, plain.length >> 8, ~plain.length & 0xff, (~plain.length >> 8) & 0xff]);
    const begin = this.#begun ? [] : [zlibHead];
    this.#begun = true;
    return Buffer.concat([...begin, stored, plain, zlibFlush]);
  }
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function sized(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint32(bytes.length), bytes]);
}
