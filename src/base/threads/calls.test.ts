import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { Calls, ThreadGoneError } from './calls.ts';

type Adder = {
  add(pair: readonly [number, number]): number;
  fail(text: string): Promise<void>;
  hang(nothing: undefined): Promise<void>;
  note(text: string): void;
};

function pair(notes: string[] = []): { caller: Calls<Adder>; called: Calls<Record<never, never>> } {
  const { port1, port2 } = new MessageChannel();
  const functions: Adder = {
    add: ([a, b]) => a + b,
    fail: (text) => Promise.reject(Object.assign(new RangeError(text), { code: 'E1', cause: () => {} })),
    hang: () => new Promise(() => {}),
    note: (text) => void notes.push(text),
  };
  return { caller: new Calls<Adder>(port1, {}), called: new Calls(port2, functions) };
}

test('a call has the result, or the error with its name and fields; notices and calls keep their order', async () => {
  const notes: string[] = [];
  const { caller } = pair(notes);
  using _ = caller;
  caller.notify('note', 'before');
  assert.equal(await caller.call('add', [1, 2]), 3);
  assert.deepEqual(notes, ['before']);
  await assert.rejects(caller.call('fail', 'too far'), { name: 'RangeError', message: 'too far', code: 'E1' });
});

test('what is sent in one turn goes as one message, with late notices as they are then', async () => {
  const notes: string[] = [];
  const { port1, port2 } = new MessageChannel();
  using caller = new Calls<Pick<Adder, 'note'>>(port1, {});
  const counted: number[] = [];
  port2.on('message', (messages: readonly unknown[]) => counted.push(messages.length));
  using _ = new Calls(port2, { note: (text: string) => void notes.push(text) });
  const late = ['a'];
  caller.notifyLate('note', () => late.join());
  await new Promise<void>((resolve) => process.nextTick(resolve));
  caller.notify('note', 'after it');
  late.push('b');
  await setImmediate();
  await setImmediate();
  assert.deepEqual(notes, ['a,b', 'after it']);
  assert.deepEqual(counted, [8], 'two messages of four fields each');
});

test('when the other side goes, calls under way and later ones fail', async () => {
  const { caller, called } = pair();
  const underWay = caller.call('hang', undefined);
  called[Symbol.dispose]();
  await assert.rejects(underWay, ThreadGoneError);
  await assert.rejects(caller.call('add', [1, 2]), ThreadGoneError);
  caller.notify('note', 'into the void');
});
