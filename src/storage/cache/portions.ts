/** A part of a state as sinks of one form send it. */
export interface Portion {
  readonly bytes: Buffer;
  /** bytes of each entry */
  readonly sizes: readonly number[];
  /** of the last entry in it */
  readonly revision: number;
  /** first key of what follows; undefined: it is the last part */
  readonly next: string | undefined;
}

const mostKept = 64;

/**
 * Parts of states that several watches send in the same form: made once, and the same bytes wait for all clients. The latest are kept while a watch
 * is being brought up to the present: those that start together go through a state together.
 */
export class Portions {
  #kept = new Map<string, { readonly state: object; readonly portion: Portion }>();
  readonly #users = new Set<object>();

  enter(user: object): void {
    this.#users.add(user);
  }

  leave(user: object): void {
    if (this.#users.delete(user) && this.#users.size === 0) this.#kept.clear();
  }

  get(state: object, key: string, make: () => Portion): Portion {
    const known = this.#kept.get(key);
    if (known?.state === state) return known.portion;
    const portion = make();
    this.#kept.delete(key);
    this.#kept.set(key, { state, portion });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    return portion;
  }
}
