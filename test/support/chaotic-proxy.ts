import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Random numbers in [0, 1). */
export type Chance = () => number;

/** The same numbers for the same seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

const longestDelayMs = 15;

/** Passes connections on to a port on loopback in pieces of any size, at any pace, until it cuts them. Bytes keep their order. */
export class ChaoticProxy implements AsyncDisposable {
  readonly #chance: Chance;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** where connections go; may change */
  target: number;

  private constructor(server: Server, target: number, chance: Chance) {
    this.#server = server;
    this.#chance = chance;
    this.target = target;
    server.on('connection', (socket) => this.#accept(socket));
  }

  static async start(target: number, chance: Chance): Promise<ChaoticProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ChaoticProxy(server, target, chance);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends all connections; what is under way is lost. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    const onward = connect(this.target, '127.0.0.1');
    const end = (): void => {
      for (const one of [socket, onward]) {
        this.#sockets.delete(one);
        one.destroy();
      }
    };
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on('error', end).on('close', end);
      void this.#pass(from, to);
    }
  }

  async #pass(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        for (let rest = chunk; rest.length > 0;) {
          const length = this.#chance() < 0.7 ? rest.length : 1 + Math.floor(this.#chance() * rest.length);
          if (this.#chance() < 0.3) await sleep(this.#chance() * longestDelayMs);
          if (!to.write(rest.subarray(0, length))) await once(to, 'drain');
          rest = rest.subarray(length);
        }
      }
    } catch {
      // Cut, by one side or the other.
    }
  }
}
