/** Seeded, but sockets and timers have their own mind: a seed that fails shows the kind of trouble, not always the same one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chanceOf } from '../support/chaotic-proxy.ts';
import { playEvents } from './event-game.ts';
import { worlds } from './event-world.ts';

for (const name of ['memory', 'embedded', 'our etcd'] as const) {
  test(`over ${name}, watches miss and repeat nothing, whatever breaks`, async () => {
    await using world = await worlds[name](chanceOf(7));
    const { events, watches, cuts, compactions, expired } = await playEvents(world, 7, 3_000);
    for (const [what, count] of Object.entries({ events, watches, cuts, compactions, expired })) assert.ok(count > 0, `no ${what}`);
  });
}
