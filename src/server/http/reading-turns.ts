import type { Socket } from 'node:net';
import * as limits from './limits.ts';

interface Reader {
  readonly socket: Socket;
  readonly since: number;
}

/**
 * Connections of clients that have not said who they are: few of them are read at a time. All that came on a connection is otherwise read, and
 * acted upon, in one turn of the event loop, up to half a megabyte of it without a chance to look at what it is; many strangers that send at once
 * would add up. Nothing is done where there are no more of them than may be read.
 */
export class ReadingTurns {
  readonly #most: number;
  /** whose turn it is */
  #reading = new Set<Reader>();
  /** the next first: those that came a moment ago, and those that do not use what they have opened */
  readonly #fresh = new Set<Reader>();
  readonly #stale = new Set<Reader>();
  readonly #readers = new Map<Socket, Reader>();
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(most = limits.strangersRead) {
    this.#most = most;
  }

  add(socket: Socket, now = performance.now()): void {
    if (socket.destroyed) return;
    const reader: Reader = { socket, since: now };
    this.#readers.set(socket, reader);
    socket.once('close', () => this.delete(socket));
    if (this.#reading.size < this.#most) {
      this.#reading.add(reader);
      return;
    }
    this.#fresh.add(reader);
    setReading(socket, false);
    this.#schedule();
  }

  /** What reads the connection has changed, and has begun to read. */
  renew(socket: Socket): void {
    const reader = this.#readers.get(socket);
    if (reader !== undefined && !this.#reading.has(reader)) setReading(socket, false);
  }

  /** It is read whenever something comes: its client is known. */
  delete(socket: Socket): void {
    const reader = this.#readers.get(socket);
    if (reader === undefined) return;
    this.#readers.delete(socket);
    this.#fresh.delete(reader);
    this.#stale.delete(reader);
    if (!this.#reading.delete(reader)) setReading(socket, true);
  }

  /** The turn of others. */
  rotate(now = performance.now()): void {
    const before = this.#reading;
    for (const reader of before) (now - reader.since < limits.freshStrangerMs ? this.#fresh : this.#stale).add(reader);
    this.#reading = new Set();
    for (let place = 0; place < this.#most; place++) {
      // Those who wait for nothing are looked at from time to time; otherwise they do not keep those up who have just come.
      const rings = ++this.#turn % limits.staleEvery === 0 ? [this.#stale, this.#fresh] : [this.#fresh, this.#stale];
      rings.some((ring) => this.#take(ring));
    }
    for (const reader of before) if (!this.#reading.has(reader)) setReading(reader.socket, false);
    for (const reader of this.#reading) if (!before.has(reader)) setReading(reader.socket, true);
  }

  #take(from: Set<Reader>): boolean {
    for (const reader of from) {
      from.delete(reader);
      this.#reading.add(reader);
      return true;
    }
    return false;
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.rotate();
        if (this.#fresh.size + this.#stale.size > 0) this.#schedule();
      },
      this.#fresh.size > 0 ? limits.strangersReadMs : limits.staleReadMs,
    ).unref();
  }
}

/**
 * Node has no public way to stop reading a connection that TLS or HTTP reads: bytes do not pass the stream that could be paused. Where a
 * Node has no such handle, everything is read as it comes.
 */
function setReading(socket: Socket, reading: boolean): void {
  const { _handle: handle } = socket as { _handle?: { readStart?(): void; readStop?(): void } | null };
  if (reading) handle?.readStart?.();
  else handle?.readStop?.();
}

/** Nothing more is read of a connection that is about to end, also not of what has come already. */
export function stopReading(socket: Socket): void {
  setReading(socket, false);
}
