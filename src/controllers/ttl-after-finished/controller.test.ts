import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { until } from '../../../test/support/eventually.ts';

const jobs = '/apis/batch/v1/namespaces/default/jobs';

test('a job goes when its time after the end is over, not before', { timeout: 60_000 }, async () => {
  const clock = new ManualClock(Date.now());
  const server = await startTestServer({ clock, controllers: ['ttl-after-finished-controller'] });
  const client = new RawClient(server);
  try {
    const containers = [{ name: 'c', image: 'x' }];
    const spec = { ttlSecondsAfterFinished: 60, template: { spec: { containers, restartPolicy: 'Never' } } };
    const made = await client.call('POST', jobs, { body: { metadata: { name: 'j' }, spec } });
    assert.equal(made.status, 201, made.text);
    const at = new Date(clock.now()).toISOString().replace(/\.\d+/, '');
    const condition = (type: string): object => ({ type, status: 'True', lastProbeTime: at, lastTransitionTime: at });
    const status = { startTime: at, completionTime: at, conditions: [condition('SuccessCriteriaMet'), condition('Complete')] };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const finished = await client.call('PATCH', `${jobs}/j/status`, { headers, body: { status } });
    assert.equal(finished.status, 200, finished.text);
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
    for (let i = 0; i < 10; i++) await pause();
    assert.equal((await client.call('GET', `${jobs}/j`)).status, 200);
    clock.advance(61_000);
    const isGoing = async (): Promise<boolean> => {
      const { status: code, text } = await client.call('GET', `${jobs}/j`);
      return code === 404 || text.includes('deletionTimestamp');
    };
    await until('the job is going', isGoing);
  } finally {
    await client[Symbol.asyncDispose]();
    await server.stop();
  }
});
