import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ringOffset, SharedCounter, SharedRing } from './shared-memory.ts';

const size = 1 << 20;
const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

test('a ring puts bytes side by side, and does not write over what a reader has before it', () => {
  const ring = new SharedRing();
  const read = new SharedCounter();
  ring.add(read);
  assert.equal(ring.write([bytes(10, 1), bytes(20, 2)], 30), 0);
  assert.equal(ring.write([bytes(size - 40, 3)], size - 40), 30);
  assert.equal(ring.write([bytes(20, 4)], 20), undefined, 'the end has no room for it, and the start is not read');
  assert.equal(ring.write([bytes(10, 5)], 10), size - 10);
  assert.equal(ring.write([], 0), size, 'nothing needs no room');
  read.value = 30;
  assert.equal(ring.write([bytes(30, 6)], 30), size);
  assert.equal(ringOffset(size), 0);
  assert.deepEqual(new Uint8Array(ring.memory).subarray(28, 32), new Uint8Array([6, 6, 3, 3]));
  assert.equal(ring.write([bytes(1, 7)], 1), undefined);
  ring.delete(read);
  assert.equal(ring.write([bytes(1, 7)], 1), size + 30, 'nobody is waited for who is gone');
});

test('one that joins a ring gets what is written from then on', () => {
  const ring = new SharedRing();
  ring.write([bytes(100, 1)], 100);
  const read = new SharedCounter();
  ring.add(read);
  assert.equal(read.value, 100);
  assert.equal(ring.write([bytes(size, 2)], size), undefined, 'one that does not begin at the start is wrapped');
  assert.equal(ring.write([bytes(size - 100, 2)], size - 100), 100);
});
