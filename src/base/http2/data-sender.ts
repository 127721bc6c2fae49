// RFC 9113, sections 5.2 and 6.9. Upstream: golang.org/x/net/http2/writesched_roundrobin.go
import { defaultWindow, flag, frameHeaderSize, frameType, largestWindow, writeFrameHeader } from './frames.ts';
import type { FrameWriter } from './frame-writer.ts';
import type { Output } from './output.ts';
import type { SendQueue } from './send-queue.ts';
import type { SharedFrames } from './shared-frames.ts';

/** Bytes that are handed over at once. */
const batch = 64 << 10;

/** A stream, as far as sending its data goes. */
export interface SendingStream {
  readonly id: number;
  /** bytes that the peer takes */
  sendWindow: number;
  /** what could not be sent at once */
  readonly queue: SendQueue | undefined;
  /** bytes that wait */
  readonly queued: number;
  /** everything is queued, at least */
  readonly isEnding: boolean;
  /** everything was sent */
  readonly localEnded: boolean;
  /** what was queued was sent */
  emptied(): void;
}

/** Sends what streams have queued, as far as the windows of the peer and the socket allow: a frame of each in turn. */
export class DataSender<Stream extends SendingStream> {
  readonly #output: Output;
  readonly #writer: FrameWriter;
  readonly #ended: (stream: Stream) => void;
  readonly #shared: SharedFrames | undefined;
  /** streams that have something to send, and room in their windows; the next first */
  readonly #ready = new Set<Stream>();
  #window = defaultWindow;

  /** `ended` is called for each stream whose end was sent; `shared` is what other connections send as well, where they do */
  constructor(output: Output, writer: FrameWriter, ended: (stream: Stream) => void, shared?: SharedFrames) {
    this.#output = output;
    this.#writer = writer;
    this.#shared = shared;
    this.#ended = ended;
  }

  /** False: the window of the connection is larger than it may be. */
  grow(increment: number): boolean {
    this.#window += increment;
    this.send();
    return this.#window <= largestWindow;
  }

  /** False: that of the stream is. What may be sent now is not sent at once. */
  growStream(stream: Stream, increment: number): boolean {
    stream.sendWindow += increment;
    this.#addIfReady(stream);
    return stream.sendWindow <= largestWindow;
  }

  /** Something was queued for this stream, or its end was. */
  queued(stream: Stream): void {
    if (this.#addIfReady(stream)) this.send();
  }

  /** False: there is no room for all of it, or something waits before it; then nothing is sent. `stay`: the bytes are not changed later. */
  sendNow(stream: Stream, bytes: Buffer, stay: boolean): boolean {
    const { length } = bytes;
    const output = this.#output;
    if (stream.queued > 0 || output.isBlocked || length > this.#writer.peerFrameSize) return false;
    if (length > stream.sendWindow || length > this.#window) return false;
    const frame = stay ? this.#shared?.of(bytes, stream.id) : undefined;
    if (frame !== undefined) {
      this.#take(stream, length);
      output.writeWhole(frame);
    } else {
      const next = this.#begin(stream, length, stream.isEnding);
      bytes.copy(output.buffer, next);
      output.used = next + length;
      if (stream.isEnding) this.#ended(stream);
    }
    if (output.used >= batch) output.flush();
    return true;
  }

  delete(stream: Stream): void {
    this.#ready.delete(stream);
  }

  send(): void {
    const output = this.#output;
    for (const stream of this.#ready) {
      if (output.isBlocked) return;
      const length = stream.queued;
      const room = Math.min(stream.sendWindow, this.#window, this.#writer.peerFrameSize);
      if (length > 0 && room <= 0) {
        // It comes back when its window grows; that of the connection is the same for all.
        if (stream.sendWindow <= 0) this.#ready.delete(stream);
        continue;
      }
      this.#ready.delete(stream);
      this.#sendFrame(stream, Math.min(length, room));
      this.#addIfReady(stream);
      if (output.used >= batch) output.flush();
    }
  }

  #addIfReady(stream: Stream): boolean {
    const length = stream.queued;
    if (length === 0 ? !stream.isEnding || stream.localEnded : stream.sendWindow <= 0) return false;
    this.#ready.add(stream);
    return true;
  }

  #sendFrame(stream: Stream, length: number): void {
    const output = this.#output;
    const { queue } = stream;
    const isLast = stream.queued === length;
    const end = stream.isEnding && isLast;
    const next = this.#begin(stream, length, end);
    queue?.take(length, output.buffer, next);
    output.used = next + length;
    if (end) this.#ended(stream);
    else if (isLast) stream.emptied();
    // Those who are called may write more, which comes after this frame.
    queue?.release();
  }

  /** Of the windows. */
  #take(stream: Stream, length: number): void {
    stream.sendWindow -= length;
    this.#window -= length;
  }

  /** Returns where the data of the frame is to be written. */
  #begin(stream: Stream, length: number, end: boolean): number {
    const at = this.#output.reserve(frameHeaderSize + length);
    this.#take(stream, length);
    return writeFrameHeader(this.#output.buffer, at, length, frameType.data, end ? flag.endStream : 0, stream.id);
  }
}
