/**
 * `npm run test:events [-- --seconds 60] [-- --seed N] [-- --only NAME]`: watches over each kind of store while connections break, the store
 * restarts and forgets, and servers come and go. Every watch gets every event once and in order, or ends because its history is gone.
 */
import { parseArgs } from 'node:util';
import { chanceOf } from '../support/chaotic-proxy.ts';
import { playEvents } from './event-game.ts';
import { worlds } from './event-world.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
  },
});
/** a new world every so often, so that a run meets many beginnings */
const roundMs = 10_000;

let failed = false;
for (const [name, create] of Object.entries(worlds)) {
  if (!name.includes(values.only)) continue;
  const total: Record<string, number> = {};
  const deadline = performance.now() + Number(values.seconds) * 1000;
  for (let seed = Number(values.seed); performance.now() < deadline; seed++) {
    await using world = await create(chanceOf(seed));
    try {
      const tally = await playEvents(world, seed, roundMs);
      for (const [what, count] of Object.entries(tally)) total[what] = (total[what] ?? 0) + count;
    } catch (error) {
      failed = true;
      console.log(`✖ ${name}, seed ${seed}: ${(error as Error).message.split('\n').slice(0, 20).join('\n')}`);
    }
  }
  console.log(
    `${name}: ${Object.entries(total)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}`,
  );
}
process.exitCode = failed ? 1 : 0;
