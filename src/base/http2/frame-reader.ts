import { frameHeaderSize, readUint31 } from './frames.ts';

const nothing = Buffer.alloc(0);
const firstSize = 1 << 10;

/**
 * Cuts what comes on a connection into frames. The fields are those of the frame that `next` has found last. A frame that lies in one piece is
 * not copied; one that does not is put together in a buffer that grows with what has come of it, not with what it says of its length.
 */
export class FrameReader {
  type = 0;
  flags = 0;
  stream = 0;
  /** where its payload lies; nothing is written there again */
  bytes: Buffer = nothing;
  start = 0;
  end = 0;
  /** the frame is longer than it may be: its payload will not come */
  tooLarge = false;
  readonly #maxFrameSize: number;
  #chunk: Buffer = nothing;
  #at = 0;
  /** the beginning of a frame whose end has not come */
  #partial: Buffer = nothing;
  #have = 0;

  constructor(maxFrameSize: number) {
    this.#maxFrameSize = maxFrameSize;
  }

  get payload(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }

  /** More has come. */
  push(chunk: Buffer): void {
    this.#chunk = this.#at === this.#chunk.length ? chunk : Buffer.concat([this.#chunk.subarray(this.#at), chunk]);
    this.#at = 0;
  }

  /** What has come is not held any longer. */
  clear(): void {
    this.#chunk = this.#partial = this.bytes = nothing;
    this.#at = this.#have = 0;
  }

  /** False: the next frame has not come as a whole. */
  next(): boolean {
    if (this.#have > 0) return this.#complete();
    const chunk = this.#chunk;
    const at = this.#at;
    const left = chunk.length - at;
    if (left >= frameHeaderSize) {
      const length = this.#header(chunk, at);
      if (this.tooLarge) return true;
      const end = at + frameHeaderSize + length;
      if (end <= chunk.length) {
        this.bytes = chunk;
        this.start = at + frameHeaderSize;
        this.end = end;
        this.#at = end;
        if (end === chunk.length) this.#release();
        return true;
      }
    }
    if (left > 0) {
      this.#partial = Buffer.allocUnsafe(Math.max(firstSize, left));
      this.#take(left);
    }
    this.#release();
    return false;
  }

  #release(): void {
    this.#chunk = nothing;
    this.#at = 0;
  }

  #complete(): boolean {
    this.#take(Math.min(frameHeaderSize - this.#have, this.#chunk.length - this.#at));
    if (this.#have < frameHeaderSize) return false;
    const length = this.#header(this.#partial, 0);
    if (this.tooLarge) return true;
    const whole = frameHeaderSize + length;
    this.#take(Math.min(whole - this.#have, this.#chunk.length - this.#at));
    if (this.#have < whole) return false;
    this.bytes = this.#partial;
    this.start = frameHeaderSize;
    this.end = whole;
    this.#partial = nothing;
    this.#have = 0;
    return true;
  }

  /** Moves so many bytes to the frame that is incomplete. */
  #take(count: number): void {
    if (count <= 0) return;
    const needed = this.#have + count;
    if (needed > this.#partial.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#partial.length));
      this.#partial.copy(larger, 0, 0, this.#have);
      this.#partial = larger;
    }
    this.#chunk.copy(this.#partial, this.#have, this.#at, this.#at + count);
    this.#have = needed;
    this.#at += count;
  }

  #header(bytes: Buffer, at: number): number {
    const length = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
    this.type = bytes[at + 3] as number;
    this.flags = bytes[at + 4] as number;
    this.stream = readUint31(bytes, at + 5);
    this.tooLarge = length > this.#maxFrameSize;
    return length;
  }
}
