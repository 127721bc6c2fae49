import type { Socket } from 'node:net';
import * as limits from './limits.ts';

interface Reader {
  readonly socket: Socket;
  readonly since: number;
  /** bytes that had been read of it when it came */
  readonly first: number;
  /** and when its turn began */
  read: number;
}

/**
 * Connections of clients that have not said who they are: few of them are read at a time. All that came on a connection is otherwise read, and
 * acted upon, in one turn of the event loop, up to half a megabyte of it without a chance to look at what it is; many strangers that send at once
 * would add up. Who has said much and not who it is waits longer for its turn, and between two turns none of them is read for as long as the first
 * took. Where there are no more of them than may be read, that begins when they say something, soon after they came.
 */
export class ReadingTurns {
  readonly #spoke: (socket: Socket) => void;
  readonly #least: number;
  /** how many are read at a time: twice as many when one turns out to be known or none says anything, as few as possible when one speaks and is not known */
  #places: number;
  /** whose turn it is */
  #reading = new Set<Reader>();
  /** the next first: those that came a moment ago, and those that do not use what they have opened, or use it for something else */
  readonly #fresh = new Set<Reader>();
  readonly #stale = new Set<Reader>();
  readonly #readers = new Map<Socket, Reader>();
  #turn = 0;
  #isTurn = false;
  /** between two turns: no stranger is read */
  #isResting = false;
  #isScheduled = false;

  /** `spoke` is called after the turn of one that has said something while others waited */
  constructor(spoke: (socket: Socket) => void = () => {}, least = limits.strangersRead) {
    this.#spoke = spoke;
    this.#least = this.#places = least;
  }

  add(socket: Socket, now = performance.now()): void {
    if (socket.destroyed) return;
    const { bytesRead } = socket;
    const reader: Reader = { socket, since: now, first: bytesRead, read: bytesRead };
    this.#readers.set(socket, reader);
    socket.once('close', () => this.delete(socket));
    if (!this.#isResting && this.#reading.size < this.#places) {
      this.#reading.add(reader);
    } else {
      this.#fresh.add(reader);
      setReading(socket, false);
    }
    this.#schedule();
  }

  /** Strangers are read in this turn of the event loop: it is not the one for something else that takes time and is theirs. */
  get isTurn(): boolean {
    return this.#isTurn;
  }

  /** What reads the connection has changed, and has begun to read. */
  renew(socket: Socket): void {
    const reader = this.#readers.get(socket);
    if (reader !== undefined && (this.#isResting || !this.#reading.has(reader))) setReading(socket, false);
  }

  /** It is read whenever something comes: its client is known. Others may be waiting to say who they are as well, and need not wait for a timer. */
  known(socket: Socket): void {
    if (!this.#readers.has(socket)) return;
    this.delete(socket);
    this.#widen();
    while (this.#reading.size < this.#places) {
      const reader = this.#next();
      if (reader === undefined) return;
      this.#reading.add(reader);
      setReading(reader.socket, true);
    }
  }

  delete(socket: Socket): void {
    const reader = this.#readers.get(socket);
    if (reader === undefined) return;
    this.#readers.delete(socket);
    this.#fresh.delete(reader);
    this.#stale.delete(reader);
    this.#reading.delete(reader);
    setReading(socket, true);
  }

  /** The turn of others. */
  rotate(now = performance.now()): void {
    const before = this.#reading;
    for (const reader of before) (isFresh(reader, now) ? this.#fresh : this.#stale).add(reader);
    if (this.#isUsed()) this.#places = this.#least;
    else this.#widen();
    this.#isResting = false;
    this.#reading = new Set();
    for (let place = 0; place < this.#places; place++) {
      const reader = this.#next();
      if (reader !== undefined) this.#reading.add(reader);
    }
    for (const reader of before) if (!this.#reading.has(reader)) setReading(reader.socket, false);
    for (const reader of this.#reading) setReading(reader.socket, true);
  }

  /** Whether one whose turn it is has said something. */
  #isUsed(): boolean {
    return this.#reading.values().some(({ socket, read }) => socket.bytesRead !== read);
  }

  #widen(): void {
    this.#places = Math.min(limits.mostStrangersRead, this.#places * 2);
  }

  /** Those who wait for nothing are looked at from time to time; otherwise they do not keep those up who have just come. */
  #next(): Reader | undefined {
    const rings = ++this.#turn % limits.staleEvery === 0 ? [this.#stale, this.#fresh] : [this.#fresh, this.#stale];
    for (const ring of rings) {
      for (const reader of ring) {
        ring.delete(reader);
        reader.read = reader.socket.bytesRead;
        return reader;
      }
    }
    return undefined;
  }

  #schedule(pauseMs = this.#fresh.size > 0 ? limits.strangersReadMs : limits.staleReadMs): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      const began = performance.now();
      this.rotate(began);
      this.#isTurn = true;
      // After what there is to be read in this turn of the event loop.
      setImmediate(() => this.#rest(performance.now() - began));
    }, pauseMs).unref();
  }

  /** Until the next turn no stranger is read: as long as the last one took, where it was used, so that strangers take half of the time at most. */
  #rest(tookMs: number): void {
    this.#isTurn = false;
    this.#isScheduled = false;
    const isUsed = this.#isUsed();
    const isContended = this.#fresh.size + this.#stale.size > 0;
    if (!isUsed && !isContended) {
      // None of them has to wait; those that have just come are looked at for a while.
      const now = performance.now();
      if (this.#reading.values().some((reader) => isFresh(reader, now))) this.#schedule();
      return;
    }
    this.#isResting = true;
    for (const { socket } of this.#reading) setReading(socket, false);
    if (!isUsed) {
      this.#schedule();
      return;
    }
    this.#schedule(Math.max(limits.strangersReadMs, tookMs));
    if (!isContended) return;
    for (const { socket, read } of this.#reading) if (socket.bytesRead !== read) this.#spoke(socket);
  }
}

function isFresh({ socket, since, first }: Reader, now: number): boolean {
  return now - since < limits.freshStrangerMs && socket.bytesRead - first < limits.freshStrangerBytes;
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
