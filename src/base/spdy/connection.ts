import type { Duplex } from 'node:stream';
import { controlFrame, dataFrame, FrameReader, frameTypes, HeaderWriter, uint32 } from './frames.ts';

/** One of the streams that share a connection. */
export interface SpdyStream {
  /** false: wait for `drained` of the connection before writing on */
  write(data: Uint8Array): boolean;
  /** Nothing more comes from our side. */
  end(): void;
  /** Nothing more comes from theirs, because they said so or the connection is gone. */
  readonly ended: Promise<void>;
}

/** Takes what arrives on a stream. */
export type Receive = (data: Buffer) => void;

interface Open {
  readonly receive: Receive;
  readonly done: () => void;
}

const pingMs = 5000;

/** The client's side of a SPDY connection that has been agreed on. Neither side limits how much the other sends, as in upstream. */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #headers = new HeaderWriter();
  readonly #open = new Map<number, Open>();
  readonly #pings: NodeJS.Timeout;
  #nextStream = 1;
  #nextPing = 1;

  /** `head`: what has arrived already */
  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    const frames = new FrameReader();
    const take = (chunk: Buffer): void => {
      for (const frame of frames.read(chunk)) {
        if (frame.kind === 'data') this.#receive(frame.stream, frame.payload, frame.last);
        else this.#control(frame.type, frame.payload, frame.last);
      }
    };
    // A peer that sends nothing for long must not be taken for gone by proxies in between.
    this.#pings = setInterval(() => {
      socket.write(controlFrame(frameTypes.ping, uint32(this.#nextPing)));
      this.#nextPing += 2;
    }, pingMs);
    socket.on('data', take);
    socket.on('error', () => socket.destroy());
    socket.once('end', () => this.#lost());
    socket.once('close', () => this.#lost());
    take(head);
  }

  open(headers: Readonly<Record<string, string>>, receive: Receive): SpdyStream {
    const id = this.#nextStream;
    this.#nextStream += 2;
    const { promise: ended, resolve: done } = Promise.withResolvers<void>();
    if (this.#socket.destroyed) done();
    else this.#open.set(id, { receive, done });
    // Stream, the one that it belongs to (none), and its priority.
    const payload = Buffer.concat([uint32(id), uint32(0), Buffer.alloc(2), this.#headers.block(headers)]);
    this.#socket.write(controlFrame(frameTypes.synStream, payload));
    let isOver = false;
    return {
      write: (data) => isOver || this.#socket.write(dataFrame(id, data, false)),
      end: () => {
        if (!isOver) this.#socket.write(dataFrame(id, Buffer.alloc(0), true));
        isOver = true;
      },
      ended,
    };
  }

  drained(callback: () => void): void {
    this.#socket.once('drain', callback);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    clearInterval(this.#pings);
    if (!this.#socket.writableEnded) this.#socket.end(controlFrame(frameTypes.goAway, Buffer.concat([uint32(0), uint32(0)])));
  }

  #receive(id: number, payload: Buffer, last: boolean): void {
    const stream = this.#open.get(id);
    if (stream === undefined) return;
    if (payload.length > 0) stream.receive(payload);
    if (last) this.#end(id);
  }

  #control(type: number, payload: Buffer, last: boolean): void {
    const number = payload.length >= 4 ? payload.readUInt32BE(0) : 0;
    if (type === frameTypes.rstStream) this.#end(number);
    else if (type === frameTypes.synReply && last) this.#end(number);
    // Odd numbers are responses to our own.
    else if (type === frameTypes.ping && number % 2 === 0) this.#socket.write(controlFrame(frameTypes.ping, uint32(number)));
  }

  #end(id: number): void {
    this.#open.get(id)?.done();
    this.#open.delete(id);
  }

  #lost(): void {
    clearInterval(this.#pings);
    for (const id of [...this.#open.keys()]) this.#end(id);
    this.#socket.destroy();
  }
}
