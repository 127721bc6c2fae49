import { frameHeaderSize, frameType, writeFrameHeader } from './frames.ts';

/**
 * The DATA frame that was sent last, of all connections. An event goes to hundreds of clients, one after the other and mostly on streams of the same
 * number: from the third on they get one frame, which is made and copied for none of them.
 */
export class SharedFrame {
  #bytes: Buffer | undefined;
  #stream = 0;
  #times = 0;
  #frame: Buffer | undefined;

  /** The frame with these bytes, unless they are new. */
  of(bytes: Buffer, stream: number): Buffer | undefined {
    if (bytes !== this.#bytes || stream !== this.#stream) {
      this.#bytes = bytes;
      this.#stream = stream;
      this.#times = 1;
      this.#frame = undefined;
      return undefined;
    }
    if (this.#frame === undefined && ++this.#times > 2) this.#frame = frameOf(bytes, stream);
    return this.#frame;
  }
}

function frameOf(bytes: Buffer, stream: number): Buffer {
  const frame = Buffer.allocUnsafeSlow(frameHeaderSize + bytes.length);
  bytes.copy(frame, writeFrameHeader(frame, 0, bytes.length, frameType.data, 0, stream));
  return frame;
}
