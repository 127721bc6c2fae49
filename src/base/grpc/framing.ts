import { GrpcError, statusCode } from './status.ts';

const headerLength = 5;

/** gRPC's five bytes before a message: not compressed, length. */
export function framePrefix(length: number): Buffer {
  const prefix = Buffer.alloc(headerLength);
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

export function frame(message: Buffer): Buffer {
  return Buffer.concat([framePrefix(message.length), message]);
}

/** What is set aside for a message before it has come: the length is only what the peer says. */
const trusted = 256 << 10;

/**
 * Cuts a byte stream into messages. A message that lies within one chunk is a view of it; one that spans chunks is copied into a buffer of
 * its final size, which grows with what has come where that is large.
 */
export class FrameReader {
  readonly #maxLength: number;
  /** start of a header that the last chunk did not complete */
  #header: Buffer | undefined;
  #partial: Buffer | undefined;
  /** of the whole partial message */
  #length = 0;
  #filled = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** True between messages: the stream may end here. */
  get idle(): boolean {
    return this.#partial === undefined && this.#header === undefined;
  }

  push(chunk: Buffer): Buffer[] {
    const messages: Buffer[] = [];
    let rest = chunk;
    if (this.#header !== undefined) {
      rest = Buffer.concat([this.#header, chunk]);
      this.#header = undefined;
    }
    while (rest.length > 0) {
      if (this.#partial !== undefined) {
        const copied = rest.copy(this.#partial, this.#filled);
        this.#filled += copied;
        rest = rest.subarray(copied);
        if (this.#filled < this.#partial.length) break;
        if (this.#filled < this.#length) {
          this.#grow(this.#partial);
          continue;
        }
        messages.push(this.#partial);
        this.#partial = undefined;
        continue;
      }
      if (rest.length < headerLength) {
        this.#header = Buffer.from(rest);
        break;
      }
      const length = this.#messageLength(rest);
      if (rest.length >= headerLength + length) {
        messages.push(rest.subarray(headerLength, headerLength + length));
        rest = rest.subarray(headerLength + length);
      } else {
        this.#length = length;
        this.#partial = Buffer.allocUnsafeSlow(Math.min(length, Math.max(trusted, rest.length)));
        this.#filled = rest.copy(this.#partial, 0, headerLength);
        break;
      }
    }
    return messages;
  }

  #grow(full: Buffer): void {
    const grown = Buffer.allocUnsafeSlow(Math.min(this.#length, 2 * full.length));
    full.copy(grown);
    this.#partial = grown;
  }

  #messageLength(buffer: Buffer): number {
    if (buffer[0] !== 0)
      throw new GrpcError(statusCode.unimplemented, 'the peer sent a compressed message, which this side did not offer to read');
    const length = buffer.readUInt32BE(1);
    if (length > this.#maxLength) {
      throw new GrpcError(statusCode.resourceExhausted, `received message larger than max (${length} vs. ${this.#maxLength})`);
    }
    return length;
  }
}
