// HTTP/2 byte by byte, for tests of what no well-behaved client sends.
import { connect } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';

export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, windowUpdate: 8, continuation: 9 } as const;
export const flags = { ack: 1, endStream: 1, endHeaders: 4 } as const;
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(type: number, flag: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flag;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export function settings(values: readonly (readonly [id: number, value: number])[] = []): Buffer {
  const payload = Buffer.alloc(values.length * 6);
  for (const [index, [id, value]] of values.entries()) {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return frame(frameTypes.settings, 0, 0, payload);
}

/** Header fields in HPACK, all of them literal and none of them remembered. */
export function headerBlock(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  const text = (value: string): Buffer => Buffer.concat([integer(Buffer.byteLength(value, 'latin1')), Buffer.from(value, 'latin1')]);
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]));
}

/** An HPACK integer with a prefix of seven bits. */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.of(value);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

const indexed: Readonly<Record<number, number>> = { 8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500 };

/** `:status` of a response, which is its first field. */
export function statusOf(block: Buffer): number | undefined {
  // A table may be resized first.
  const start = [...block].findIndex((byte) => byte >> 5 !== 1);
  const first = block[start] ?? 0;
  if (first >= 128) return indexed[first & 127];
  const length = block[start + 1] ?? 0;
  const value = block.subarray(start + 2, start + 2 + (length & 127));
  return Number(length >= 128 ? huffmanDigits(value) : value.toString());
}

/** Digits have codes of five bits (0, 1, 2) or six. */
function huffmanDigits(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  let digits = '';
  for (let at = 0; at + 5 <= bits.length;) {
    const short = Number.parseInt(bits.slice(at, at + 5), 2);
    if (short > 2 && at + 6 > bits.length) break;
    const digit = short <= 2 ? short : Number.parseInt(bits.slice(at, at + 6), 2) - 0b011001 + 3;
    if (digit > 9) break;
    digits += digit;
    at += short <= 2 ? 5 : 6;
  }
  return digits;
}

/** A connection on which the test says every byte. */
export class RawHttp2 implements Disposable {
  readonly socket: TLSSocket;
  /** frames so far */
  readonly frames: Frame[] = [];
  readonly closed: Promise<void>;
  readonly #polite: boolean;
  #detached = false;
  #pending = Buffer.alloc(0);
  #arrived: () => void = () => {};

  private constructor(socket: TLSSocket, polite: boolean) {
    this.socket = socket;
    this.#polite = polite;
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.once('close', () => this.#arrived());
  }

  /** Greets and takes note of the server's settings, unless the test has something else to say first. */
  static async open(port: number, options: ConnectionOptions, first?: Uint8Array): Promise<RawHttp2> {
    const socket = connect({ host: '127.0.0.1', port, ALPNProtocols: ['h2'], rejectUnauthorized: false, ...options });
    await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    const raw = new RawHttp2(socket, first === undefined);
    raw.write(first ?? Buffer.concat([preface, settings()]));
    if (first === undefined) await raw.find(({ type, flags: flag }) => type === frameTypes.settings && flag === flags.ack);
    return raw;
  }

  write(bytes: Uint8Array): boolean {
    return this.socket.write(bytes);
  }

  /** Asks on a stream, with these fields as they are. */
  request(stream: number, fields: readonly (readonly [string, string])[], end = true): void {
    this.write(frame(frameTypes.headers, flags.endHeaders | (end ? flags.endStream : 0), stream, headerBlock(fields)));
  }

  /** The first frame that fits, among those that came and those to come; undefined when the connection closes without. */
  async find(fits: (frame: Frame) => boolean): Promise<Frame | undefined> {
    for (let seen = 0; ;) {
      for (; seen < this.frames.length; seen++) if (fits(this.frames[seen] as Frame)) return this.frames[seen];
      if (this.socket.closed) return undefined;
      await new Promise<void>((resolve) => (this.#arrived = resolve));
    }
  }

  /** The connection, which goes on without us. */
  detach(): TLSSocket {
    this.#detached = true;
    return this.socket;
  }

  [Symbol.dispose](): void {
    if (!this.#detached) this.socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    for (;;) {
      if (this.#pending.length < 9) break;
      const length = this.#pending.readUIntBE(0, 3);
      if (this.#pending.length < 9 + length) break;
      const [type = 0, flag = 0] = this.#pending.subarray(3, 5);
      const stream = this.#pending.readUInt32BE(5);
      this.frames.push({ type, flags: flag, stream, payload: this.#pending.subarray(9, 9 + length) });
      if (type === frameTypes.settings && flag === 0 && this.#polite) this.write(frame(frameTypes.settings, flags.ack, 0));
      this.#pending = this.#pending.subarray(9 + length);
    }
    this.#arrived();
  }
}
