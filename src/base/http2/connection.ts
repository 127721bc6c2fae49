// RFC 9113. Upstream: golang.org/x/net/http2/server.go#serverConn
import type { Duplex } from 'node:stream';
import { DataSender } from './data-sender.ts';
import type { DateText } from './date-text.ts';
import { FrameReader } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import {
  defaultFrameSize,
  defaultWindow,
  errorCode,
  flag,
  frameType,
  largestFrameSize,
  largestWindow,
  preface,
  readUint31,
  setting,
} from './frames.ts';
import { HeaderBlockReader } from './header-block-reader.ts';
import { Output } from './output.ts';
import type { OutputPool } from './output-pool.ts';
import { withoutPadding } from './padding.ts';
import { ReceiveWindow } from './receive-window.ts';
import { requestFields } from './request-fields.ts';
import type { SharedFrames } from './shared-frames.ts';
import { Http2Stream } from './stream.ts';
import type { OutgoingFields, StreamConnection, StreamUser } from './stream.ts';

export interface Http2Limits {
  readonly maxStreams: number;
  readonly streamWindow: number;
  readonly connectionWindow: number;
  readonly maxFrameSize: number;
  readonly maxHeaderListSize: number;
}

/** What connections of one server share. */
export interface Http2Shared {
  readonly pool: OutputPool;
  readonly date: DateText;
  readonly frame: SharedFrames;
}

/** What is done with a connection. */
export interface Http2Handler {
  /** A request came. Its body may follow. */
  request(stream: Http2Stream): StreamUser;
  /** The client has greeted: its preface and its first SETTINGS came. */
  greeted(): void;
  /** A frame came that belongs to no request, and costs a response or nothing but our time. */
  signal(): void;
  /** A request came beyond those that may be open, and was refused. */
  refused(): void;
  /** A frame of so many bytes is read. False: the rest is for the next turn of the event loop. */
  mayReadOn(bytes: number): boolean;
  closed(): void;
}

/** Bytes of frames that the peer does not take, after which nothing more is read of what it sends. */
const mostUnsent = 64 << 10;
/** Settings in one frame, as in Go. */
const mostSettings = 100;
const remembered = 128;
/** Between the last word and the end of a connection whose client does not close it. */
const farewellMs = 1000;
/** Between a response and the reset of its stream, where the request is not at its end. */
const lingerMs = 20;

/** The server's side of an HTTP/2 connection. */
export class Http2ServerConnection implements StreamConnection {
  readonly #socket: Duplex;
  readonly #limits: Http2Limits;
  readonly #handler: Http2Handler;
  readonly #reader: FrameReader;
  readonly #block: HeaderBlockReader;
  readonly #output: Output;
  readonly #writer: FrameWriter;
  readonly #sender: DataSender<Http2Stream>;
  readonly #streams = new Map<number, Http2Stream>();
  /** streams that ended a moment ago: those that we reset are negative, as what was on its way is no error */
  readonly #ended = new Int32Array(remembered);
  #endedCount = 0;
  #prefaceLeft = preface.length;
  #greeted = false;
  /** the stream that was opened last, and the last one that will be served */
  #latest = 0;
  #lastServed = largestWindow;
  #unacknowledged = 1;
  readonly #receiveWindow: ReceiveWindow;
  /** what the peer takes on a new stream */
  #peerWindow = defaultWindow;
  /** GOAWAY was sent */
  #isRetiring = false;
  /** nothing is read any more: it ends */
  #isEnding = false;
  #isClosed = false;
  #isReading = false;
  /** why nothing is read for now */
  #waitsForTurn = false;
  #waitsForRoom = false;
  #isPaused = false;

  constructor(socket: Duplex, limits: Http2Limits, shared: Http2Shared, handler: Http2Handler) {
    this.#socket = socket;
    this.#limits = limits;
    this.#handler = handler;
    this.#reader = new FrameReader(limits.maxFrameSize);
    this.#block = new HeaderBlockReader(limits.maxHeaderListSize);
    this.#output = new Output(socket, shared.pool, this);
    this.#writer = new FrameWriter(this.#output, shared.date);
    this.#sender = new DataSender(this.#output, this.#writer, (stream) => this.#localEnd(stream), shared.frame);
    this.#receiveWindow = new ReceiveWindow(limits.connectionWindow);
    this.#greet();
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.#peerEnded());
    socket.on('error', () => {}); // it closes
    socket.once('close', () => this.#closed());
  }

  /** It ends, or has ended. */
  get ending(): boolean {
    return this.#isEnding || this.#isClosed;
  }

  /** No new streams; closes as soon as those that are open have ended. */
  retire(): void {
    if (this.#isRetiring || this.#isEnding) return;
    this.#isRetiring = true;
    this.#lastServed = this.#latest;
    this.#goaway(errorCode.none);
    this.#endIfDone();
  }

  /** Ends now, and says why. What else the peer has sent is not read. */
  end(code: number): void {
    if (this.#isEnding || this.#socket.destroyed) return;
    this.#isEnding = true;
    this.#reader.clear();
    this.#goaway(code);
    this.#closeStreams(code);
    this.#finish();
    this.#settleReading();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  // Reading

  #receive(chunk: Buffer): void {
    if (this.#isEnding) return;
    if (this.#prefaceLeft > 0) {
      const rest = this.#takePreface(chunk);
      if (rest !== undefined) this.#reader.push(rest);
    } else {
      this.#reader.push(chunk);
    }
    this.#readFrames();
  }

  #takePreface(chunk: Buffer): Buffer | undefined {
    const start = preface.length - this.#prefaceLeft;
    const count = Math.min(this.#prefaceLeft, chunk.length);
    if (preface.compare(chunk, 0, count, start, start + count) !== 0) {
      this.end(errorCode.protocol);
      return undefined;
    }
    this.#prefaceLeft -= count;
    return chunk.subarray(count);
  }

  /** As many as may be read in this turn of the event loop; what is left is read in the next. */
  #readFrames(): void {
    if (this.#waitsForTurn || this.#isReading) return;
    this.#isReading = true;
    try {
      this.#readSome();
    } catch (error) {
      // A fault of ours or of a handler: it is for the last line of defence, and this connection is not to be trusted any more.
      this.#socket.destroy();
      throw error;
    } finally {
      this.#isReading = false;
    }
    this.#endIfDone();
  }

  #readSome(): void {
    while (!this.#isEnding && !this.#waitsForRoom && this.#reader.next()) {
      if (!this.#handler.mayReadOn(this.#reader.end - this.#reader.start)) this.#waitForTurn();
      const code = this.#reader.tooLarge ? errorCode.frameSize : this.#frame();
      if (code !== errorCode.none) {
        this.end(code);
        return;
      }
      if (this.#output.isBlocked && this.#output.used > mostUnsent) {
        this.#waitsForRoom = true;
        this.#settleReading();
      }
      if (this.#waitsForTurn) return;
    }
  }

  #waitForTurn(): void {
    this.#waitsForTurn = true;
    this.#settleReading();
    setImmediate(nextTurn, this);
  }

  /** It was more than one turn's work. */
  nextTurn(): void {
    this.#waitsForTurn = false;
    if (!this.#isEnding) this.#readFrames();
    this.#settleReading();
  }

  #settleReading(): void {
    const paused = this.#waitsForTurn || this.#waitsForRoom || this.#isEnding;
    if (paused === this.#isPaused) return;
    this.#isPaused = paused;
    if (paused) this.#socket.pause();
    else this.#socket.resume();
  }

  /** Returns the error that ends the connection, 0 for none. */
  #frame(): number {
    const { type, flags, stream } = this.#reader;
    if (!this.#greeted && type !== frameType.settings) return errorCode.protocol;
    if (this.#block.stream !== 0 && (type !== frameType.continuation || stream !== this.#block.stream)) return errorCode.protocol;
    switch (type) {
      case frameType.data:
        return this.#data(stream, flags, this.#reader.payload);
      case frameType.headers:
        return this.#headers(stream, flags);
      case frameType.continuation:
        return this.#continuation(flags);
      case frameType.priority:
        return this.#priority(stream, this.#reader.payload);
      case frameType.reset:
        return this.#resetByPeer(stream, this.#reader.payload);
      case frameType.settings:
        return this.#settings(stream, flags, this.#reader.payload);
      case frameType.pushPromise:
        return errorCode.protocol;
      case frameType.ping:
        return this.#ping(stream, flags, this.#reader.payload);
      case frameType.goaway:
        return this.#goawayByPeer(stream, this.#reader.payload);
      case frameType.windowUpdate:
        return this.#windowUpdate(stream, this.#reader.payload);
      default:
        return errorCode.none;
    }
  }

  #isIdle(id: number): boolean {
    return id > this.#latest || id % 2 === 0;
  }

  #data(id: number, flags: number, payload: Buffer): number {
    if (id === 0) return errorCode.protocol;
    const isBeyond = id > this.#lastServed;
    if (!isBeyond && this.#isIdle(id)) return errorCode.protocol;
    const data = withoutPadding(flags, payload);
    if (data === undefined) return errorCode.protocol;
    if (!this.#receiveWindow.take(payload.length)) return errorCode.flowControl;
    const stream = this.#streams.get(id);
    if (isBeyond || stream === undefined || stream.remoteEnded) {
      this.#giveBackToConnection(payload.length);
      // What was on its way when we reset the stream is no error.
      if (isBeyond || (stream === undefined && this.#endedAs(id) === 'reset')) return errorCode.none;
      this.#handler.signal();
      this.#refuse(id, errorCode.streamClosed);
      return errorCode.none;
    }
    const end = (flags & flag.endStream) !== 0;
    if (payload.length === 0 && !end) this.#handler.signal();
    const code = stream.receive(data, payload.length, end);
    if (code !== errorCode.none) {
      this.#giveBackToConnection(payload.length);
      this.reset(stream, code);
    } else if (end) {
      this.#closeIfDone(stream);
    }
    return errorCode.none;
  }

  #headers(id: number, flags: number): number {
    if (id % 2 === 0) return errorCode.protocol;
    const { bytes } = this.#reader;
    let { start, end } = this.#reader;
    if ((flags & flag.padded) !== 0) {
      if (start === end) return errorCode.protocol;
      end -= bytes[start++] as number;
      if (start > end) return errorCode.protocol;
    }
    let dependsOnItself = false;
    if ((flags & flag.priority) !== 0) {
      if (end - start < 5) return errorCode.frameSize;
      dependsOnItself = readUint31(bytes, start) === id;
      start += 5;
    }
    const endHeaders = (flags & flag.endHeaders) !== 0;
    const code = this.#block.begin(id, (flags & flag.endStream) !== 0, endHeaders, bytes, start, end);
    if (code !== errorCode.none) return code;
    if (dependsOnItself) this.#block.decoder.malformed = true;
    return endHeaders ? this.#headersArrived(id) : errorCode.none;
  }

  #continuation(flags: number): number {
    const id = this.#block.stream;
    if (id === 0) return errorCode.protocol;
    const { bytes, start, end } = this.#reader;
    const endHeaders = (flags & flag.endHeaders) !== 0;
    if (start === end) this.#handler.signal();
    const code = this.#block.add(endHeaders, bytes, start, end);
    if (code !== errorCode.none) return code;
    return endHeaders ? this.#headersArrived(id) : errorCode.none;
  }

  #headersArrived(id: number): number {
    if (id > this.#lastServed) return errorCode.none;
    const open = this.#streams.get(id);
    if (open !== undefined) return this.#trailers(open);
    if (id <= this.#latest) {
      const ended = this.#endedAs(id);
      this.#handler.signal();
      // Trailers of what we have reset may have been on their way.
      return ended === 'reset' ? errorCode.none : ended === 'done' ? errorCode.streamClosed : errorCode.protocol;
    }
    this.#latest = id;
    this.#open(id);
    return errorCode.none;
  }

  #open(id: number): void {
    const { decoder, endStream } = this.#block;
    if (this.#streams.size >= this.#limits.maxStreams) {
      this.#sendReset(id, errorCode.refusedStream);
      this.#handler.refused();
      return;
    }
    const { lines, oversized, malformed } = decoder;
    const fields = malformed ? undefined : requestFields(lines);
    if (fields === undefined && !(oversized && !malformed)) {
      this.#sendReset(id, errorCode.protocol);
      this.#handler.refused();
      return;
    }
    if (endStream && fields !== undefined && fields.contentLength > 0) {
      this.#sendReset(id, errorCode.protocol);
      this.#handler.refused();
      return;
    }
    const stream = new Http2Stream(this, id, oversized ? undefined : fields, lines, endStream, this.#peerWindow, this.#limits.streamWindow);
    this.#streams.set(id, stream);
    stream.user = this.#handler.request(stream);
    if (stream.closed) stream.release();
  }

  #trailers(stream: Http2Stream): number {
    const { decoder, endStream } = this.#block;
    if (stream.remoteEnded) {
      this.reset(stream, errorCode.streamClosed);
      return errorCode.none;
    }
    if (!endStream || decoder.malformed || !stream.mayEnd || decoder.lines.some((text, at) => at % 2 === 0 && text.startsWith(':'))) {
      this.reset(stream, errorCode.protocol);
      return errorCode.none;
    }
    stream.end();
    this.#closeIfDone(stream);
    return errorCode.none;
  }

  /** RFC 9113 has done away with priorities: only their form is looked at. */
  #priority(id: number, payload: Buffer): number {
    if (id === 0) return errorCode.protocol;
    if (payload.length !== 5) return errorCode.frameSize;
    if (readUint31(payload, 0) !== id) return errorCode.none;
    this.#handler.signal();
    this.#refuse(id, errorCode.protocol);
    return errorCode.none;
  }

  #resetByPeer(id: number, payload: Buffer): number {
    if (id === 0) return errorCode.protocol;
    if (payload.length !== 4) return errorCode.frameSize;
    if (id > this.#lastServed) return errorCode.none;
    if (this.#isIdle(id)) return errorCode.protocol;
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      // Nothing that comes after it was on its way.
      const known = this.#ended.indexOf(-id);
      if (known >= 0) this.#ended[known] = id;
    }
    // A reset without an error is one, too: it comes before the end.
    else this.#close(stream, payload.readUInt32BE(0) || errorCode.cancel, false);
    return errorCode.none;
  }

  #settings(id: number, flags: number, payload: Buffer): number {
    if (id !== 0) return errorCode.protocol;
    if ((flags & flag.ack) !== 0) {
      if (payload.length !== 0) return errorCode.frameSize;
      return --this.#unacknowledged < 0 ? errorCode.protocol : errorCode.none;
    }
    if (payload.length % 6 !== 0) return errorCode.frameSize;
    if (payload.length > mostSettings * 6) return errorCode.protocol;
    for (let at = 0; at < payload.length; at += 6) {
      const code = this.#setting(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
      if (code !== errorCode.none) return code;
    }
    this.#writer.frame(frameType.settings, flag.ack, 0);
    this.#sender.send();
    this.#handler.signal();
    if (!this.#greeted) {
      this.#greeted = true;
      this.#handler.greeted();
    }
    return errorCode.none;
  }

  #setting(id: number, value: number): number {
    switch (id) {
      case setting.headerTableSize:
        this.#writer.resizeTable(value);
        return errorCode.none;
      case setting.enablePush:
        return value > 1 ? errorCode.protocol : errorCode.none;
      case setting.initialWindowSize:
        return this.#resizeWindows(value);
      case setting.maxFrameSize:
        if (value < defaultFrameSize || value > largestFrameSize) return errorCode.protocol;
        this.#writer.peerFrameSize = value;
        return errorCode.none;
      default:
        return errorCode.none;
    }
  }

  #resizeWindows(size: number): number {
    if (size > largestWindow) return errorCode.flowControl;
    const growth = size - this.#peerWindow;
    this.#peerWindow = size;
    for (const stream of this.#streams.values()) {
      if (!this.#sender.growStream(stream, growth)) return errorCode.flowControl;
    }
    return errorCode.none;
  }

  #ping(id: number, flags: number, payload: Buffer): number {
    if (id !== 0) return errorCode.protocol;
    if (payload.length !== 8) return errorCode.frameSize;
    if ((flags & flag.ack) !== 0) return errorCode.none;
    this.#handler.signal();
    if (!this.#isEnding) this.#writer.frame(frameType.ping, flag.ack, 0, payload);
    return errorCode.none;
  }

  #goawayByPeer(id: number, payload: Buffer): number {
    if (id !== 0) return errorCode.protocol;
    if (payload.length < 8) return errorCode.frameSize;
    this.retire();
    return errorCode.none;
  }

  #windowUpdate(id: number, payload: Buffer): number {
    if (payload.length !== 4) return errorCode.frameSize;
    const increment = readUint31(payload, 0);
    if (id === 0) {
      if (increment === 0) return errorCode.protocol;
      return this.#sender.grow(increment) ? errorCode.none : errorCode.flowControl;
    }
    if (id > this.#lastServed) return errorCode.none;
    if (this.#isIdle(id)) return errorCode.protocol;
    const stream = this.#streams.get(id);
    if (increment === 0) {
      this.#handler.signal();
      this.#refuse(id, errorCode.protocol);
      return errorCode.none;
    }
    if (stream === undefined) return errorCode.none;
    if (this.#sender.growStream(stream, increment)) this.#sender.send();
    else this.reset(stream, errorCode.flowControl);
    return errorCode.none;
  }

  // Writing

  #greet(): void {
    const { maxStreams, streamWindow, connectionWindow, maxFrameSize, maxHeaderListSize } = this.#limits;
    this.#writer.settings([
      [setting.maxConcurrentStreams, maxStreams],
      [setting.initialWindowSize, streamWindow],
      [setting.maxFrameSize, maxFrameSize],
      [setting.maxHeaderListSize, maxHeaderListSize],
    ]);
    this.#writer.windowUpdate(0, connectionWindow - defaultWindow);
  }

  sendHeaders(stream: Http2Stream, status: number, headers: OutgoingFields, end: boolean): void {
    this.#writer.headers(stream.id, status, headers, end);
    if (end) this.#localEnd(stream);
  }

  sendContinue(stream: Http2Stream): void {
    this.#writer.informational(stream.id, 100);
  }

  sendNow(stream: Http2Stream, bytes: Buffer, stay: boolean): boolean {
    return this.#sender.sendNow(stream, bytes, stay);
  }

  sendQueued(stream: Http2Stream): void {
    this.#sender.queued(stream);
  }

  roomForMore(): void {
    if (this.#isEnding) {
      this.#socket.end();
      return;
    }
    this.#sender.send();
    if (!this.#waitsForRoom || this.#output.isBlocked) return;
    this.#waitsForRoom = false;
    this.#readFrames();
    this.#settleReading();
  }

  giveBack(stream: Http2Stream, bytes: number): void {
    this.#giveBackToConnection(bytes);
    this.#sendWindowUpdate(stream.id, stream.windowUpdate(bytes));
  }

  #giveBackToConnection(bytes: number): void {
    this.#sendWindowUpdate(0, this.#receiveWindow.give(bytes));
  }

  #sendWindowUpdate(id: number, increment: number): void {
    if (increment > 0 && !this.#isEnding) this.#writer.windowUpdate(id, increment);
  }

  #sendReset(id: number, code: number): void {
    this.#writer.reset(id, code);
    this.#remember(-id);
  }

  #goaway(code: number): void {
    this.#writer.goaway(Math.min(this.#latest, this.#lastServed), code);
  }

  // Ends

  #localEnd(stream: Http2Stream): void {
    stream.localEnded = true;
    if (stream.remoteEnded) {
      this.#close(stream, errorCode.none, false);
    } else {
      // The response does not depend on what is to come: the client need not send it, if it does not end soon.
      if (!stream.isComplete) stream.discard();
      stream.release();
      setTimeout(() => this.reset(stream, errorCode.none), lingerMs).unref();
    }
  }

  #closeIfDone(stream: Http2Stream): void {
    if (stream.localEnded && stream.remoteEnded && !stream.closed) this.#close(stream, errorCode.none, false);
  }

  reset(stream: Http2Stream, code: number): void {
    if (stream.closed) return;
    this.#sendReset(stream.id, code);
    this.#close(stream, code, true);
  }

  #refuse(id: number, code: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) this.#sendReset(id, code);
    else this.reset(stream, code);
  }

  #close(stream: Http2Stream, code: number, isRemembered: boolean): void {
    this.#streams.delete(stream.id);
    this.#sender.delete(stream);
    if (!isRemembered) this.#remember(stream.id);
    stream.close(code);
    this.#endIfDone();
  }

  #remember(id: number): void {
    this.#ended[this.#endedCount++ % remembered] = id;
  }

  #endedAs(id: number): 'done' | 'reset' | undefined {
    if (this.#ended.includes(-id)) return 'reset';
    return this.#ended.includes(id) ? 'done' : undefined;
  }

  #endIfDone(): void {
    if (!this.#isRetiring || this.#isEnding || this.#streams.size > 0) return;
    // What else has come is heard.
    if (this.#isReading || this.#waitsForTurn) return;
    this.#isEnding = true;
    this.#finish();
  }

  /** What was written is sent, and nothing more; a peer that does not close gets a moment. */
  #finish(): void {
    this.#output.flush();
    const socket = this.#socket;
    if (socket.destroyed) return;
    if (this.#output.used === 0) socket.end();
    setTimeout(() => socket.destroy(), farewellMs).unref();
  }

  #peerEnded(): void {
    // Half of a connection is of no use: a client that has closed its half reads no responses.
    this.#socket.destroy();
  }

  #closeStreams(code: number): void {
    for (const stream of this.#streams.values()) {
      this.#streams.delete(stream.id);
      this.#sender.delete(stream);
      stream.close(code || errorCode.cancel);
    }
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = this.#isEnding = true;
    this.#reader.clear();
    this.#closeStreams(errorCode.cancel);
    this.#handler.closed();
  }
}

function nextTurn(connection: Http2ServerConnection): void {
  connection.nextTurn();
}
