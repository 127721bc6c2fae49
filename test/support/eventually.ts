import assert from 'node:assert/strict';

const tries = 2000;
const limitMs = 60_000;

/** What `ask` returns once it returns something, which false is not: for what happens a moment after the request that causes it. Fails after many seconds. */
export async function eventually<T extends object | string | number | bigint | true>(
  what: string,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  for (let index = 0; index < tries; index++) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return assert.fail(`did not happen: ${what}`);
}

/** Asks again and again until it holds; fails after a minute. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + limitMs; performance.now() < end;) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail(`did not happen: ${what}`);
}
