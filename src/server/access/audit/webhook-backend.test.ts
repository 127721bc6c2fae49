import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { ManualClock } from '../../../base/clock.ts';
import { testEvent, testReports } from '../../../../test/support/audit-event.ts';
import { WebhookBackend } from './webhook-backend.ts';

/** Responds with these codes, one after the other. */
async function receiver(codes: readonly number[]) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      response.writeHead(codes[bodies.length] ?? 200).end('no');
      bodies.push(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { bodies, url, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

async function sending(codes: readonly number[]) {
  const received = await receiver(codes);
  const clock = new ManualClock();
  const { reports, failures, metrics } = testReports();
  const server = { url: received.url, authorities: undefined, client: undefined, headers: async () => ({}) };
  const backend = new WebhookBackend({ server, initialBackoff: 1000 }, reports, clock);
  const answer = Promise.resolve(backend.process([testEvent()]));
  let isOver = false;
  void answer.then(() => (isOver = true));
  while (!isOver) {
    await turn();
    if (clock.timers > 0) clock.advance(60_000);
  }
  const success = await answer;
  await backend.close();
  return { received, success, failures, metrics };
}

test('events go to a webhook as a list', async () => {
  const { received, success } = await sending([]);
  using _ = received;
  assert.equal(success, true);
  assert.equal((JSON.parse(received.bodies[0] ?? '') as { kind: string }).kind, 'EventList');
});

test('a webhook that fails is tried again', async () => {
  const { received, success, failures } = await sending([500, 503]);
  using _ = received;
  assert.deepEqual([success, received.bodies.length, failures], [true, 3, []]);
});

test('after five times the events are lost and counted', async () => {
  const { received, success, failures, metrics } = await sending([500, 500, 500, 500, 500]);
  using _ = received;
  assert.deepEqual([success, received.bodies.length], [false, 5]);
  assert.match(failures[0] ?? '', /^Error in audit plugin 'webhook' affecting 1 audit events: an error on the server/);
  assert.match(metrics(), /apiserver_audit_error_total\{plugin="webhook"\} 1/);
});
