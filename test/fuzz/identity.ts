/**
 * `npm run test:identity [-- count=1000000 seed=1]`: requests with random certificates, tokens, header lines and paths, straight into the handler
 * of a server and, some of them, over HTTP/1.1 and HTTP/2. Who each sender is and may read comes from a table; none may get more, nor less.
 */
import assert from 'node:assert/strict';
import { fuzzIdentity, http1Sender, http2Sender } from './identity-fuzz.ts';
import { World } from './identity-world.ts';
import { Random } from './random.ts';

const [count = '1000000', seed = '1'] = process.argv.slice(2);
const random = new Random(Number(seed));
await using world = await World.start(random);
const faults: string[] = [];
for (const [name, requests, sender] of [
  ['handler', Number(count), undefined],
  ['HTTP/1.1', Math.ceil(Number(count) / 500), http1Sender(world)],
  ['HTTP/2', Math.ceil(Number(count) / 500), http2Sender(world)],
] as const) {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const result = await fuzzIdentity(world, random, requests, sender);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const used = (process.cpuUsage(cpu).user / 1e6).toFixed(1);
  const answers = [...result.statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(`${name}: ${requests} requests, ${result.faults.length} faults, ${seconds} s (${used} s of CPU); ${answers.join(', ')}`);
  faults.push(...result.faults);
}
assert.deepEqual(faults, []);
