/** so many are taken in one turn of the event loop */
const mostInTurn = 1000;

/** Passes on what may come all at once, such as a hundred thousand dependents of one owner, in slices: others get their turn in between. */
export class Spread<K> {
  readonly #take: (key: K) => void;
  #deferred: K[] = [];
  #taken = 0;
  #isWaiting = false;

  constructor(take: (key: K) => void) {
    this.#take = take;
  }

  add(key: K): void {
    if (this.#taken >= mostInTurn) {
      this.#deferred.push(key);
      return;
    }
    this.#taken++;
    this.#take(key);
    this.#awaitNextTurn();
  }

  #awaitNextTurn(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setImmediate(() => {
      this.#isWaiting = false;
      this.#taken = 0;
      const deferred = this.#deferred;
      this.#deferred = deferred.slice(mostInTurn);
      for (const key of deferred.slice(0, mostInTurn)) this.add(key);
    });
  }
}
