import type { Connection } from './connection.ts';
import * as limits from './limits.ts';

interface Stranger {
  /** nothing is under way on it */
  readonly idle: () => boolean;
  readonly end: () => void;
}

/** Connections that have shaken hands and not said who they are yet, as far as that was looked at: of too many, the oldest idle ones end. */
export class Strangers {
  readonly #connections = new Map<Connection, Stranger>();
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

  add(connection: Connection, stranger: Stranger): void {
    this.#connections.set(connection, stranger);
    if (this.#connections.size <= limits.maxIdleStrangers) return;
    for (const [oldest, { idle, end }] of this.#connections) {
      if (!oldest.known && !idle()) continue;
      this.#connections.delete(oldest);
      if (!oldest.known) {
        end();
        this.#ended();
      }
      if (this.#connections.size <= limits.maxIdleStrangers) return;
    }
  }

  delete(connection: Connection): void {
    this.#connections.delete(connection);
  }
}
