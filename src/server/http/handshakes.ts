import type { Socket } from 'node:net';
import * as limits from './limits.ts';

interface Pending {
  readonly socket: Socket;
  readonly since: number;
}

/**
 * Connections that have not shaken hands yet. Nothing is made for one that says nothing, handshakes are begun one in a turn of the event loop,
 * since each takes as long as several requests, and of too many the oldest go.
 */
export class Handshakes {
  readonly #begin: (socket: Socket) => void;
  readonly #ended: (reason: 'silent' | 'handshake') => void;
  readonly #mayBegin: () => boolean;
  readonly #most: { readonly silent: number; readonly shaking: number };
  /** without a byte, the oldest first; by their peer's address, as `#shaking` */
  readonly #silent = new Map<string, Pending>();
  /** node does not say which TLS socket is whose: their peers' addresses do */
  readonly #shaking = new Map<string, Pending>();
  #ready: Socket[] = [];
  /** one was begun in this turn, or another has to be waited for */
  #begun = false;

  /** `ended` is called for each that went because there were too many; `mayBegin` says whether this turn is one for handshakes */
  constructor(
    begin: (socket: Socket) => void,
    ended: (reason: 'silent' | 'handshake') => void,
    mayBegin = (): boolean => true,
    most = { silent: limits.maxSilentConnections, shaking: limits.maxHandshakes },
  ) {
    this.#begin = begin;
    this.#ended = ended;
    this.#mayBegin = mayBegin;
    this.#most = most;
  }

  get silent(): number {
    return this.#silent.size;
  }

  get shaking(): number {
    return this.#shaking.size;
  }

  add(socket: Socket): void {
    const peer = peerOf(socket);
    const pending: Pending = { socket, since: performance.now() };
    this.#silent.set(peer, pending);
    endOldest(this.#silent, this.#most.silent, () => this.#ended('silent'));
    socket.once('close', () => {
      if (this.#silent.get(peer) === pending) this.#silent.delete(peer);
      if (this.#shaking.get(peer) === pending) this.#shaking.delete(peer);
    });
    const heard = (): void => {
      socket.off('readable', heard);
      if (socket.readableLength === 0) {
        // It was closed without a word.
        socket.destroy();
        return;
      }
      this.#silent.delete(peer);
      this.#shaking.set(peer, pending);
      endOldest(this.#shaking, this.#most.shaking, () => this.#ended('handshake'));
      if (!this.#begun && this.#mayBegin()) {
        this.#start(socket);
        return;
      }
      this.#ready.push(socket);
      if (!this.#begun) this.#wait();
    };
    socket.on('readable', heard);
  }

  /** The hands of this one's peer are shaken. Returns the connection that it stands on. */
  done(socket: Socket): Socket | undefined {
    const peer = peerOf(socket);
    const pending = this.#shaking.get(peer);
    this.#shaking.delete(peer);
    return pending?.socket;
  }

  /** Ends those that take too long to say anything; handshakes that take too long end by themselves. */
  sweep(now: number): void {
    for (const { socket, since } of this.#silent.values()) {
      if (now - since < limits.handshakeMs) break;
      socket.destroy();
    }
  }

  /** Ends all of them. */
  end(): void {
    for (const { socket } of this.#silent.values()) socket.destroy();
    for (const { socket } of this.#shaking.values()) socket.destroy();
    this.#ready = [];
  }

  #start(socket: Socket): void {
    this.#wait();
    this.#begin(socket);
  }

  /** for the next turn */
  #wait(): void {
    this.#begun = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    if (!this.#mayBegin()) {
      this.#wait();
      return;
    }
    this.#begun = false;
    const next = this.#ready.findIndex(({ destroyed }) => !destroyed);
    const [socket] = this.#ready.splice(0, next < 0 ? this.#ready.length : next + 1).slice(-1);
    if (socket !== undefined && !socket.destroyed) this.#start(socket);
  }
}

function endOldest(connections: Map<string, Pending>, limit: number, ended: () => void): void {
  for (const [peer, { socket }] of connections) {
    if (connections.size <= limit) return;
    connections.delete(peer);
    socket.destroy();
    ended();
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
