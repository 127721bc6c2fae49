import { frameHeaderSize, frameType, writeFrameHeader } from './frames.ts';

interface Sent {
  readonly bytes: Buffer;
  readonly stream: number;
  times: number;
  frame: Buffer | undefined;
}

/** What goes to one client in a turn is no more, mostly. */
const kept = 8;

/**
 * The DATA frames that were sent last, of all connections. Events go to hundreds of clients, one after the other and mostly on streams of the same
 * number: from the third on they get one frame, which is made and copied for none of them.
 */
export class SharedFrames {
  readonly #last: Sent[] = [];
  #next = 0;

  /** The frame with these bytes, unless they are new. */
  of(bytes: Buffer, stream: number): Buffer | undefined {
    for (const sent of this.#last) {
      if (sent.bytes !== bytes || sent.stream !== stream) continue;
      if (sent.frame === undefined && ++sent.times > 2) sent.frame = frameOf(bytes, stream);
      return sent.frame;
    }
    this.#last[this.#next] = { bytes, stream, times: 1, frame: undefined };
    this.#next = (this.#next + 1) % kept;
    return undefined;
  }
}

function frameOf(bytes: Buffer, stream: number): Buffer {
  const frame = Buffer.allocUnsafeSlow(frameHeaderSize + bytes.length);
  bytes.copy(frame, writeFrameHeader(frame, 0, bytes.length, frameType.data, 0, stream));
  return frame;
}
