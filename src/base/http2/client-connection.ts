// RFC 9113. Upstream: golang.org/x/net/http2/transport.go#ClientConn
import type { Duplex } from 'node:stream';
import { ClientStream } from './client-stream.ts';
import type { ClientStreamConnection, ClientStreamUser } from './client-stream.ts';
import { DataSender } from './data-sender.ts';
import { DateText } from './date-text.ts';
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
import { OutputPool } from './output-pool.ts';
import { ReceiveWindow } from './receive-window.ts';
import { withoutPadding } from './padding.ts';

/**
 * How long an acknowledgement of a PING waits. A gRPC server in Go sends one with each request, to measure the line, unless one is not acknowledged: at
 * once, each would be a wake-up and a call of the system more. Those that ask whether we are alive wait for seconds.
 */
const acknowledgedAfterMs = 50;
/** Beyond that none waits. */
const mostUnacknowledged = 4;

export interface ClientLimits {
  readonly streamWindow: number;
  readonly connectionWindow: number;
  readonly maxHeaderListSize: number;
}

/** What is done with a connection. */
export interface ClientHandler {
  /** No more streams can be opened, because the server says so or none are left. Those that it will not serve are over, refused. */
  retired(code: number): void;
  closed(error: Error): void;
}

/** The client's side of an HTTP/2 connection, on a socket that is connected. */
export class Http2ClientConnection implements ClientStreamConnection {
  readonly #socket: Duplex;
  readonly #limits: ClientLimits;
  readonly #handler: ClientHandler;
  readonly #reader = new FrameReader(defaultFrameSize);
  readonly #block: HeaderBlockReader;
  readonly #output: Output;
  readonly #writer: FrameWriter;
  readonly #sender: DataSender<ClientStream>;
  readonly #streams = new Map<number, ClientStream>();
  /** those beyond what the server takes at once, the first first */
  readonly #waiting = new Set<ClientStream>();
  readonly #receiveWindow: ReceiveWindow;
  readonly #pings: (() => void)[] = [];
  /** payloads of the server's, to be acknowledged */
  #unacknowledged: Buffer[] = [];
  #acknowledging: NodeJS.Timeout | undefined;
  #nextId: number;
  #peerWindow = defaultWindow;
  #mostStreams = Number.POSITIVE_INFINITY;
  #isRetired = false;
  #isClosed = false;

  /** `firstId`: of the first stream, an odd number */
  constructor(socket: Duplex, limits: ClientLimits, handler: ClientHandler, firstId = 1) {
    this.#socket = socket;
    this.#limits = limits;
    this.#handler = handler;
    this.#nextId = firstId;
    this.#block = new HeaderBlockReader(limits.maxHeaderListSize);
    // What the requests of many clients ask for goes out together.
    this.#output = new Output(socket, new OutputPool(setImmediate), this);
    this.#writer = new FrameWriter(this.#output, new DateText());
    this.#sender = new DataSender(this.#output, this.#writer, (stream) => (stream.localEnded = true));
    this.#receiveWindow = new ReceiveWindow(limits.connectionWindow);
    this.#greet();
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.destroy(new Error('the server closed the connection')));
    socket.on('error', (error: Error) => this.#closed(error));
    socket.once('close', () => this.#closed(new Error('the connection was closed')));
  }

  /**
   * `lines`: the fields of the request, names and values in turn. `isWhole`: there is no body. Where the server takes no more at once, it waits
   * for another to end.
   */
  open(lines: readonly string[], user: ClientStreamUser, isWhole = false): ClientStream {
    const stream = new ClientStream(this, lines, user, this.#limits.streamWindow, isWhole);
    if (this.#streams.size < this.#mostStreams && this.#waiting.size === 0) this.#begin(stream);
    else this.#waiting.add(stream);
    return stream;
  }

  /** streams that are not over */
  get size(): number {
    return this.#streams.size + this.#waiting.size;
  }

  /** `answered` is called when the server has responded to it. */
  ping(answered: () => void): void {
    this.#pings.push(answered);
    this.#writer.frame(frameType.ping, 0, 0, Buffer.alloc(8));
  }

  destroy(error: Error): void {
    this.#closed(error);
    this.#socket.destroy();
  }

  #greet(): void {
    const at = this.#output.reserve(preface.length);
    this.#output.used = at + preface.copy(this.#output.buffer, at);
    this.#writer.settings([
      [setting.enablePush, 0],
      [setting.initialWindowSize, this.#limits.streamWindow],
      [setting.maxHeaderListSize, this.#limits.maxHeaderListSize],
    ]);
    this.#writer.windowUpdate(0, this.#limits.connectionWindow - defaultWindow);
  }

  #begin(stream: ClientStream): void {
    stream.id = this.#nextId;
    stream.sendWindow = this.#peerWindow;
    this.#nextId += 2;
    this.#streams.set(stream.id, stream);
    this.#writer.request(stream.id, stream.lines as readonly string[], stream.localEnded);
    stream.lines = undefined;
    if (stream.queued > 0 || (stream.isEnding && !stream.localEnded)) this.#sender.queued(stream);
    if (this.#nextId > largestWindow) this.#retire(largestWindow, errorCode.none);
  }

  #beginWaiting(): void {
    for (const stream of this.#waiting) {
      if (this.#streams.size >= this.#mostStreams || this.#isRetired) return;
      this.#waiting.delete(stream);
      this.#begin(stream);
    }
  }

  // Reading

  #receive(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#reader.push(chunk);
    while (!this.#isClosed && this.#reader.next()) {
      const code = this.#reader.tooLarge ? errorCode.frameSize : this.#frame();
      if (code === errorCode.none) continue;
      this.#writer.goaway(0, code);
      this.#output.flush();
      this.destroy(new Error(`the server broke the rules of HTTP/2 (error ${code})`));
    }
  }

  /** Returns the error that ends the connection, 0 for none. */
  #frame(): number {
    const { type, flags, stream } = this.#reader;
    if (this.#block.stream !== 0 && (type !== frameType.continuation || stream !== this.#block.stream)) return errorCode.protocol;
    switch (type) {
      case frameType.data:
        return this.#data(stream, flags, this.#reader.payload);
      case frameType.headers:
        return this.#headers(stream, flags);
      case frameType.continuation:
        return this.#continuation(flags);
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
    return id >= this.#nextId || id % 2 === 0;
  }

  #data(id: number, flags: number, payload: Buffer): number {
    if (this.#isIdle(id)) return errorCode.protocol;
    const data = withoutPadding(flags, payload);
    if (data === undefined) return errorCode.protocol;
    if (!this.#receiveWindow.take(payload.length)) return errorCode.flowControl;
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      // It was on its way when we reset the stream.
      this.#giveBackToConnection(payload.length);
      return errorCode.none;
    }
    if (!stream.take(payload.length)) return errorCode.flowControl;
    if (payload.length > data.length) this.giveBack(stream, payload.length - data.length);
    if (data.length > 0) stream.user.data(data);
    if ((flags & flag.endStream) !== 0) this.#remoteEnd(stream);
    return errorCode.none;
  }

  #headers(id: number, flags: number): number {
    if (this.#isIdle(id)) return errorCode.protocol;
    const { bytes } = this.#reader;
    let { start, end } = this.#reader;
    if ((flags & flag.padded) !== 0) {
      if (start === end) return errorCode.protocol;
      end -= bytes[start++] as number;
    }
    if ((flags & flag.priority) !== 0) start += 5;
    if (start > end) return errorCode.protocol;
    const endHeaders = (flags & flag.endHeaders) !== 0;
    const code = this.#block.begin(id, (flags & flag.endStream) !== 0, endHeaders, bytes, start, end);
    if (code !== errorCode.none) return code;
    if (endHeaders) this.#headersArrived(id);
    return errorCode.none;
  }

  #continuation(flags: number): number {
    const id = this.#block.stream;
    if (id === 0) return errorCode.protocol;
    const { bytes, start, end } = this.#reader;
    const endHeaders = (flags & flag.endHeaders) !== 0;
    const code = this.#block.add(endHeaders, bytes, start, end);
    if (code !== errorCode.none) return code;
    if (endHeaders) this.#headersArrived(id);
    return errorCode.none;
  }

  #headersArrived(id: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    const { decoder, endStream } = this.#block;
    if (decoder.malformed || decoder.oversized) {
      this.reset(stream, errorCode.protocol);
      return;
    }
    // A response before the response says nothing here.
    const isInformational = decoder.lines[0] === ':status' && decoder.lines[1]?.startsWith('1');
    if (!isInformational) stream.user.headers(decoder.lines);
    if (endStream) this.#remoteEnd(stream);
  }

  #resetByPeer(id: number, payload: Buffer): number {
    if (this.#isIdle(id)) return errorCode.protocol;
    if (payload.length !== 4) return errorCode.frameSize;
    const stream = this.#streams.get(id);
    if (stream !== undefined) this.#close(stream, payload.readUInt32BE(0));
    return errorCode.none;
  }

  #settings(id: number, flags: number, payload: Buffer): number {
    if (id !== 0) return errorCode.protocol;
    if ((flags & flag.ack) !== 0) return payload.length === 0 ? errorCode.none : errorCode.frameSize;
    if (payload.length % 6 !== 0) return errorCode.frameSize;
    for (let at = 0; at < payload.length; at += 6) {
      const code = this.#setting(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
      if (code !== errorCode.none) return code;
    }
    this.#writer.frame(frameType.settings, flag.ack, 0);
    this.#sender.send();
    this.#beginWaiting();
    return errorCode.none;
  }

  #setting(id: number, value: number): number {
    switch (id) {
      case setting.headerTableSize:
        this.#writer.resizeTable(value);
        return errorCode.none;
      case setting.maxConcurrentStreams:
        this.#mostStreams = value;
        return errorCode.none;
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
    for (const stream of this.#streams.values()) if (!this.#sender.growStream(stream, growth)) return errorCode.flowControl;
    return errorCode.none;
  }

  #ping(id: number, flags: number, payload: Buffer): number {
    if (id !== 0) return errorCode.protocol;
    if (payload.length !== 8) return errorCode.frameSize;
    if ((flags & flag.ack) === 0) this.#acknowledgeLater(payload);
    else this.#pings.shift()?.();
    return errorCode.none;
  }

  #acknowledgeLater(payload: Buffer): void {
    this.#unacknowledged.push(Buffer.from(payload));
    if (this.#unacknowledged.length > mostUnacknowledged) this.#acknowledge();
    else this.#acknowledging ??= setTimeout(() => this.#acknowledge(), acknowledgedAfterMs).unref();
  }

  #acknowledge(): void {
    clearTimeout(this.#acknowledging);
    this.#acknowledging = undefined;
    for (const payload of this.#unacknowledged) this.#writer.frame(frameType.ping, flag.ack, 0, payload);
    this.#unacknowledged = [];
  }

  #goawayByPeer(id: number, payload: Buffer): number {
    if (id !== 0) return errorCode.protocol;
    if (payload.length < 8) return errorCode.frameSize;
    this.#retire(readUint31(payload, 0), payload.readUInt32BE(4));
    return errorCode.none;
  }

  #windowUpdate(id: number, payload: Buffer): number {
    if (payload.length !== 4) return errorCode.frameSize;
    const increment = readUint31(payload, 0);
    if (increment === 0) return errorCode.protocol;
    if (id === 0) return this.#sender.grow(increment) ? errorCode.none : errorCode.flowControl;
    if (this.#isIdle(id)) return errorCode.protocol;
    const stream = this.#streams.get(id);
    if (stream === undefined) return errorCode.none;
    if (this.#sender.growStream(stream, increment)) this.#sender.send();
    else this.reset(stream, errorCode.flowControl);
    return errorCode.none;
  }

  // Writing

  sendNow(stream: ClientStream, bytes: Buffer): boolean {
    return this.#sender.sendNow(stream, bytes, false);
  }

  sendQueued(stream: ClientStream): void {
    this.#sender.queued(stream);
  }

  roomForMore(): void {
    this.#sender.send();
  }

  giveBack(stream: ClientStream, bytes: number): void {
    this.#giveBackToConnection(bytes);
    const increment = stream.windowUpdate(bytes);
    if (increment > 0) this.#writer.windowUpdate(stream.id, increment);
  }

  #giveBackToConnection(bytes: number): void {
    const increment = this.#receiveWindow.give(bytes);
    if (increment > 0) this.#writer.windowUpdate(0, increment);
  }

  // Ends

  reset(stream: ClientStream, code: number): void {
    if (stream.closed) return;
    if (stream.id !== 0) this.#writer.reset(stream.id, code);
    this.#close(stream, code);
  }

  #remoteEnd(stream: ClientStream): void {
    if (stream.closed) return;
    // What the response does not depend on need not be sent.
    if (!stream.localEnded) this.#writer.reset(stream.id, errorCode.cancel);
    this.#close(stream, errorCode.none);
  }

  #close(stream: ClientStream, code: number): void {
    this.#streams.delete(stream.id);
    this.#waiting.delete(stream);
    this.#sender.delete(stream);
    stream.close(code);
    if (this.#isRetired) this.#endIfDone();
    else this.#beginWaiting();
  }

  #endIfDone(): void {
    if (this.size === 0 && !this.#isClosed) this.destroy(new Error('the connection was closed'));
  }

  /** `last`: the last stream that the server has seen or will see. */
  #retire(last: number, code: number): void {
    const isFirst = !this.#isRetired;
    this.#isRetired = true;
    for (const stream of this.#streams.values()) if (stream.id > last) this.#close(stream, errorCode.refusedStream);
    for (const stream of this.#waiting) this.#close(stream, errorCode.refusedStream);
    if (isFirst) this.#handler.retired(code);
    this.#endIfDone();
  }

  #closed(error: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = this.#isRetired = true;
    clearTimeout(this.#acknowledging);
    this.#reader.clear();
    // Before its streams end, so that their users can say why.
    this.#handler.closed(error);
    for (const stream of [...this.#streams.values(), ...this.#waiting]) this.#close(stream, errorCode.cancel);
  }
}
