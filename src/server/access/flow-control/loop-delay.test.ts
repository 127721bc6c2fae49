import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../base/clock.ts';
import { LoopDelay } from './loop-delay.ts';

function loopDelay(work = 1): { delay: LoopDelay; clock: ManualClock; shares: number[]; loop: { lateMs: number } } {
  const clock = new ManualClock();
  const shares: number[] = [];
  const loop = { lateMs: 0 };
  const now = (): number => clock.now() + loop.lateMs;
  return { clock, shares, loop, delay: new LoopDelay({ clock, now, worked: () => work * now(), changed: (share) => shares.push(share) }) };
}

test('measures while requests are served, and rests when none is', () => {
  const { delay, clock } = loopDelay();
  assert.equal(clock.timers, 0);
  delay.used(clock.now());
  delay.used(clock.now());
  assert.equal(clock.timers, 1);
  clock.advance(900);
  assert.equal(clock.timers, 1);
  clock.advance(200);
  assert.equal(clock.timers, 0);
});

test('measures nothing once its server has stopped, whatever is still served', () => {
  const { delay, clock } = loopDelay();
  delay.used(clock.now());
  delay[Symbol.dispose]();
  assert.equal(clock.timers, 0);
  delay.used(clock.now());
  assert.equal(clock.timers, 0);
});

test('a single pause changes little; a loop that stays late hands out less and less, down to a tenth, and all again when it is in time', () => {
  const { delay, shares } = loopDelay();
  delay.sample(3);
  assert.deepEqual(shares, []);
  delay.sample(30);
  assert.ok(delay.share > 0.5 && delay.share < 1);
  for (let count = 0; count < 20; count++) delay.sample(50);
  assert.equal(delay.share, 0.1);
  assert.ok(delay.seconds > 0.04 && delay.seconds <= 0.05);
  for (let count = 0; count < 100; count++) delay.sample(0);
  assert.equal(delay.share, 1);
});

for (const [work, expected] of [
  [1, true],
  [0.1, false],
] as const) {
  test(`a loop that is late while the process works for ${100 * work} % of the time ${expected ? 'hands out less' : 'hands out all'}`, () => {
    const { delay, clock, loop } = loopDelay(work);
    delay.used(clock.now());
    for (let count = 1; count <= 10; count++) {
      loop.lateMs = 100 * count;
      clock.advance(10);
    }
    assert.equal(delay.share < 1, expected);
  });
}
