import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortedInSteps } from './sorted-in-steps.ts';

test('long lists are sorted as short ones, and others get their turn meanwhile', () => {
  for (const length of [0, 1, 2047, 2048, 2049, 10_000, 50_001]) {
    const items = Array.from({ length }, (_, index) => ({ rank: (index * 7919) % 1000, index }));
    const byRank = (one: { rank: number }, other: { rank: number }): number => one.rank - other.rank;
    const steps = sortedInSteps(items, byRank);
    let turns = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) turns++;
    assert.deepEqual(step.value, items.toSorted(byRank), `${length} items`);
    assert.ok(turns >= Math.floor(length / 2048), `${turns} turns for ${length}`);
  }
});
