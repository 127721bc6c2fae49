import assert from 'node:assert/strict';
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { test } from 'node:test';
import { ManualClock } from '../clock.ts';
import { PacedSocket } from './paced-socket.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('no more than so many bytes per second pass, each way, and all do in the end', async () => {
  const clock = new ManualClock();
  const [near, far] = duplexPair();
  const paced = new PacedSocket(near, 1000, clock);
  let received = 0;
  let sent = 0;
  far.on('data', (chunk: Buffer) => (received += chunk.length));
  paced.on('data', (chunk: Buffer) => (sent += chunk.length));
  paced.write(Buffer.alloc(2500, 'a'));
  far.write(Buffer.alloc(2500, 'b'));
  const pass = async (ms: number): Promise<void> => {
    for (let step = 0; step < ms / 50; step++) {
      for (let settle = 0; settle < 5; settle++) await turn();
      clock.advance(50);
      for (let settle = 0; settle < 5; settle++) await turn();
    }
  };
  await pass(1000);
  for (const [name, count] of Object.entries({ received, sent })) assert.ok(count >= 900 && count <= 1200, `${name} ${count}`);
  await pass(3000);
  assert.deepEqual({ received, sent }, { received: 2500, sent: 2500 });
  const ended = once(paced, 'end');
  far.end();
  await pass(500);
  await ended;
  const closed = once(far, 'end');
  paced.end();
  await pass(500);
  await closed;
});
