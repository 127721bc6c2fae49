import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzIdentity, http1Sender, http2Sender } from './identity-fuzz.ts';
import { World } from './identity-world.ts';
import { Random } from './random.ts';

test('nobody is somebody else, whatever their requests say', async () => {
  const random = new Random(11);
  await using world = await World.start(random);
  assert.deepEqual((await fuzzIdentity(world, random, 2000)).faults, []);
  assert.deepEqual((await fuzzIdentity(world, random, 60, http1Sender(world))).faults, []);
  assert.deepEqual((await fuzzIdentity(world, random, 60, http2Sender(world))).faults, []);
});
