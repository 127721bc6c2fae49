import { Slices } from './slices.ts';

/** Work that may pause wherever it yields: its runner lets other requests through there, if there is much of it. */
export type Steps<T> = Generator<void, T, void>;

/** All of it at once. */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Others get their turn between the steps, when some time has gone by. */
export async function stepByStep<T>(steps: Steps<T>): Promise<T> {
  const slices = new Slices();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
}
