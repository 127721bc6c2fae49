/** So long may work go on before others get their turn. */
const sliceMs = 8;

/** The same items, with a pause for others wherever enough time has gone by: for what takes long for each, and may be many. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T> {
  const slices = new Slices();
  for (const item of items) {
    yield item;
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
}

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
