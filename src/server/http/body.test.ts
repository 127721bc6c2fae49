import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { collectBody } from './body.ts';

test('a body is what its pieces are together, up to the limit', async () => {
  const whole = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));
  for (const size of [1000, 16 << 10, 70_000]) {
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) => whole.subarray(index * size, (index + 1) * size));
    assert.deepEqual(await collectBody(Readable.from(pieces), 70_000, undefined), whole);
    assert.equal(await collectBody(Readable.from(pieces), 69_999, undefined), undefined);
  }
  assert.deepEqual(await collectBody(Readable.from([]), 10, undefined), Buffer.alloc(0));
});

test('a body that breaks off is an error, however it does', async () => {
  const stream = new PassThrough();
  const body = collectBody(stream, 10, undefined);
  stream.write('abc');
  stream.destroy();
  await assert.rejects(body, /the client broke off/);
});

test('a body that is over before it is read is empty, or an error', async () => {
  const ended = new PassThrough();
  ended.resume().end();
  await once(ended, 'end');
  assert.deepEqual(await collectBody(ended, 10, undefined), Buffer.alloc(0));
  const closed = new PassThrough();
  closed.destroy();
  await once(closed, 'close');
  await assert.rejects(collectBody(closed, 10, undefined), /the client broke off/);
});
