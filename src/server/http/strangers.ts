import type { Connection } from './connection.ts';
import * as limits from './limits.ts';

interface Stranger {
  /** nothing is under way on it */
  readonly idle: () => boolean;
  readonly end: () => void;
}

/** Connections that have shaken hands and not said who they are yet, as far as that was looked at: of too many, the oldest idle ones end. */
export class Strangers {
  /** oldest first */
  readonly #connections = new Map<Connection, Stranger & { readonly since: number }>();
  readonly #ended: () => void;

  /** `ended` is called for each that went because there were too many */
  constructor(ended: () => void) {
    this.#ended = ended;
  }

  /** those of clients that have not said who they are */
  get count(): number {
    let count = 0;
    for (const { known } of this.#connections.keys()) if (!known) count++;
    return count;
  }

  add(connection: Connection, stranger: Stranger, now = performance.now()): void {
    this.#connections.set(connection, { ...stranger, since: now });
    if (this.#connections.size <= limits.maxIdleStrangers) return;
    for (const [oldest, { idle, end, since }] of this.#connections) {
      if (oldest.known) this.#connections.delete(oldest);
      if (this.#connections.size <= (now - since > limits.newcomerMs ? limits.maxIdleStrangers : limits.maxStrangers)) return;
      if (oldest.known || !idle()) continue;
      this.#connections.delete(oldest);
      end();
      this.#ended();
    }
  }

  delete(connection: Connection): void {
    this.#connections.delete(connection);
  }
}
