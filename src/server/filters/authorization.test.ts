import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../test/support/raw-client.ts';
import { startTestServer } from '../../testing/index.ts';

test('a refusal tells browsers not to guess what it is', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const { status, headers } = await client.call('GET', '/api/v1/pods', { as: 'nobody' });
  assert.deepEqual([status, headers['x-content-type-options']], [403, 'nosniff']);
});
