import type { TestContext } from 'node:test';

/** How many turns the event loop had while something was done that takes long by the clock of slices, of which each look takes 10 ms. */
export async function turnsOf<T>(context: TestContext, act: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  let now = performance.now();
  const { mock: clock } = context.mock.method(performance, 'now', () => (now += 10));
  setImmediate(count);
  try {
    const result = await act();
    return { result, turns };
  } finally {
    isOver = true;
    clock.restore();
  }
}
