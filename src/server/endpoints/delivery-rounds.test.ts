import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DeliveryRounds } from './delivery-rounds.ts';

/** Receivers that write down what they are given. */
function clients(count: number, rounds: DeliveryRounds, delivered: string[]): { add(event: string): void }[] {
  return Array.from({ length: count }, (_, index) => {
    let waiting: string[] = [];
    const receiver = {
      deliver() {
        delivered.push(`${index}:${waiting.join()}`);
        waiting = [];
      },
    };
    return {
      add(event) {
        if (waiting.push(event) === 1) rounds.add(receiver);
      },
    };
  });
}

test('an event to a few goes out at the end of the turn, and so does the next one', async () => {
  const rounds = new DeliveryRounds();
  const delivered: string[] = [];
  const [one, other] = clients(2, rounds, delivered);
  one?.add('a');
  other?.add('a');
  one?.add('b');
  assert.deepEqual(delivered, []);
  await turn();
  assert.deepEqual(delivered, ['0:a,b', '1:a']);
  one?.add('c');
  await turn();
  assert.deepEqual(delivered.slice(2), ['0:c']);
});

test('after a round to many there is a rest, and what happens in it goes out together', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const rounds = new DeliveryRounds();
  const delivered: string[] = [];
  const many = clients(100, rounds, delivered);
  const tell = (event: string): void => many.forEach((client) => client.add(event));
  tell('a');
  await turn();
  assert.equal(delivered.length, 64, 'others have their turn between');
  await turn();
  assert.equal(delivered.length, 100);
  tell('b');
  await turn();
  tell('c');
  context.mock.timers.tick(2);
  await turn();
  assert.equal(delivered.length, 100);
  context.mock.timers.tick(1);
  await turn();
  await turn();
  assert.deepEqual(
    delivered.slice(100),
    many.map((_, index) => `${index}:b,c`),
  );
});

test('the same events are joined once, in pieces that fit a frame', () => {
  const rounds = new DeliveryRounds();
  const events = Array.from({ length: 5 }, (_, index) => Buffer.alloc(7_000, String(index)));
  const pieces = rounds.join(events);
  assert.deepEqual(
    pieces.map(({ length }) => length),
    [14_000, 14_000, 7_000],
  );
  assert.deepEqual(Buffer.concat(pieces), Buffer.concat(events));
  assert.equal(rounds.join([...events]), pieces);
  assert.notEqual(rounds.join(events.slice(1)), pieces);
  const large = [Buffer.alloc(50_000), Buffer.alloc(1)];
  assert.deepEqual(
    rounds.join(large).map(({ length }) => length),
    [50_000, 1],
  );
});
