import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Steps } from './steps.ts';
import { allSteps, stepByStep } from './steps.ts';

function* work(steps: number, step: () => void): Steps<string> {
  for (let done = 0; done < steps; done++) {
    step();
    yield;
  }
  return 'done';
}

function busy(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

test('allSteps() does everything at once', () => {
  let count = 0;
  assert.equal(allSteps(work(5, () => count++)), 'done');
  assert.equal(count, 5);
});

test('stepByStep() lets others through between long steps', async () => {
  let turns = 0;
  let isOver = false;
  const others = (): void => {
    turns++;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  assert.equal(await stepByStep(work(4, () => busy(10))), 'done');
  isOver = true;
  assert.ok(turns >= 3, `${turns} turns`);
});

test('stepByStep() goes on at once after short steps', async () => {
  let isOver = false;
  setImmediate(() => (isOver = true));
  await stepByStep(work(3, () => {}));
  assert.equal(isOver, false);
});

test('stepByStep() fails as the work does', async () => {
  const failing = work(2, () => {
    throw new Error('no');
  });
  await assert.rejects(stepByStep(failing), /no/);
});
