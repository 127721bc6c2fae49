// RFC 9113, section 4.3. Upstream: golang.org/x/net/http2/frame.go#Framer.readMetaFrame
import { errorCode } from './frames.ts';
import { CompressionError, HpackDecoder } from './hpack-decoder.ts';

/** Bytes beyond the largest list that are read and dropped, so that the client gets a response; Go reads the rest of a frame. */
const slack = 256 << 10;
/** Frames that a block may consist of: a list of the largest size in frames of the smallest, with some to spare. */
const mostFrames = 128;

/** Puts header blocks together, which may come in several frames. Methods return the error that ends the connection, 0 for none. */
export class HeaderBlockReader {
  readonly decoder: HpackDecoder;
  /** the stream whose block is not at its end; 0: none */
  stream = 0;
  endStream = false;
  readonly #maxBytes: number;
  #frames = 0;
  #bytes = 0;

  constructor(maxListSize: number) {
    // A list is never smaller than the block that it is read from.
    this.#maxBytes = maxListSize + slack;
    this.decoder = new HpackDecoder(maxListSize);
  }

  begin(stream: number, endStream: boolean, endHeaders: boolean, bytes: Buffer, start: number, end: number): number {
    this.stream = stream;
    this.endStream = endStream;
    this.#frames = this.#bytes = 0;
    this.decoder.begin();
    return this.add(endHeaders, bytes, start, end);
  }

  add(endHeaders: boolean, bytes: Buffer, start: number, end: number): number {
    if (++this.#frames > mostFrames) return errorCode.calm;
    this.#bytes += end - start;
    // Not worth reading, and without it the table is not that of the peer.
    if (this.#bytes > this.#maxBytes) return errorCode.protocol;
    try {
      this.decoder.write(bytes, start, end);
      if (!endHeaders) return errorCode.none;
      this.stream = 0;
      this.decoder.finish();
      return errorCode.none;
    } catch (error) {
      if (error instanceof CompressionError) return errorCode.compression;
      throw error;
    }
  }
}
