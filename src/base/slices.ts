/** So long may work go on before others get their turn. */
const sliceMs = 8;

/** Cuts long work into slices: `pause` lets others through when enough time has gone by since the last turn. */
export class Slices {
  #since = performance.now();

  /** undefined: go on at once */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#since < sliceMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        this.#since = performance.now();
        resolve();
      }),
    );
  }
}
