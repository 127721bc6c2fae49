import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../test/support/raw-client.ts';
import { startTestServer } from '../../testing/index.ts';

test('those who act as another, and those who may not, are counted with the questions that it took', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const as = { 'impersonate-user': 'jane' };
  await client.call('GET', '/api', { headers: as });
  await client.call('GET', '/api', { headers: as, as: 'nobody' });
  const { text } = await client.call('GET', '/metrics');
  for (const line of [
    'attempts_total{decision="allowed",mode="user-info"} 1',
    'attempts_total{decision="denied",mode=""} 1',
    'attempts_duration_seconds_count{decision="allowed",mode="user-info"} 1',
    'authorization_attempts_total{decision="allowed",mode="user-info"} 2',
    'authorization_attempts_total{decision="denied",mode="legacy"} 1',
    'authorization_attempts_duration_seconds_count{decision="denied",mode="legacy"} 1',
  ]) {
    assert.ok(
      text.includes(`apiserver_impersonation_${line}\n`),
      `${line}\n${text
        .split('\n')
        .filter((one) => one.startsWith('apiserver_impersonation'))
        .join('\n')}`,
    );
  }
});
