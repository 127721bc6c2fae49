import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../test/support/raw-client.ts';
import { until } from '../../../test/support/eventually.ts';
import { ManualClock, startTestServer } from '../../testing/index.ts';

const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';

interface FlowSchema {
  readonly status: { readonly conditions?: readonly { readonly reason: string }[] };
}

test('a flow schema about whose status another controller disagrees is written six times in a minute', { timeout: 60_000 }, async () => {
  const clock = new ManualClock(Date.now());
  await using server = await startTestServer({ controllers: false, clock });
  await using client = new RawClient(server);
  const create = async (name: string): Promise<void> => {
    const rules = [{ subjects: [{ kind: 'User', user: { name } }], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }];
    const body = { metadata: { name }, spec: { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 500, rules } };
    const { status, text } = await client.call('POST', schemas, { body });
    assert.equal(status, 201, text);
  };
  const reasonOf = async (name: string): Promise<string | undefined> =>
    (await client.json<FlowSchema>('GET', `${schemas}/${name}`)).status.conditions?.[0]?.reason;
  const disagree = async (): Promise<void> => {
    const conditions = [{ type: 'Dangling', status: 'True', reason: 'Else', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { status, text } = await client.call('PATCH', `${schemas}/disputed/status`, { body: { status: { conditions } }, headers });
    assert.equal(status, 200, text);
  };
  await create('disputed');
  for (let write = 1; write <= 6; write++) {
    await until(`write ${write}`, async () => (await reasonOf('disputed')) === 'Found');
    await disagree();
  }
  // What comes after it has its status: the disputed one was looked at before.
  for (const name of ['first', 'second']) {
    await create(name);
    await until('others are written', async () => (await reasonOf(name)) === 'Found');
  }
  assert.equal(await reasonOf('disputed'), 'Else');
  clock.advance(80_000);
  await until('it is written again', async () => (await reasonOf('disputed')) === 'Found');
});
