import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../src/testing/index.ts';
import { RawClient } from '../support/raw-client.ts';
import { fuzzRequests } from './request-fuzz.ts';

test('wrecked requests are answered as upstream answers them, and the server goes on', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const { failures } = await fuzzRequests(client, { count: 400, seed: 7 });
  assert.deepEqual(failures, []);
});
