/** Counts requests that use something, so that it can be taken away when none does any more. */
export class InFlight {
  #count = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  during<T>(run: () => T | Promise<T>): T | Promise<T> {
    this.#count++;
    let result: T | Promise<T>;
    try {
      result = run();
    } catch (error) {
      this.#leave();
      throw error;
    }
    if (result instanceof Promise) return result.finally(() => this.#leave());
    this.#leave();
    return result;
  }

  /** Resolves when it is not in use. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  #leave(): void {
    if (--this.#count > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
