/** Things to close together, the last first. As AsyncDisposableStack, which Node has from version 24 on. */
export class Owned implements AsyncDisposable {
  #closers: (() => unknown)[] = [];

  use<Thing extends Disposable | AsyncDisposable>(thing: Thing): Thing {
    this.defer(() => (Symbol.asyncDispose in thing ? thing[Symbol.asyncDispose]() : thing[Symbol.dispose]()));
    return thing;
  }

  defer(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Closes all, whatever fails on the way; what failed is thrown in the end. */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'several parts could not be closed');
  }
}
