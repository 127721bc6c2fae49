import assert from 'node:assert/strict';
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

test('a body of known length may be taken before its stream ends, which stays paused', async () => {
  const stream = new PassThrough();
  const body = collectBody(stream, 10, '6', true);
  stream.write('abc');
  stream.write('def');
  assert.equal(String(await body), 'abcdef');
  assert.equal(stream.isPaused(), true);
  const short = new PassThrough();
  const broken = collectBody(short, 10, '6', true);
  short.write('abc');
  short.destroy();
  await assert.rejects(broken, /the client broke off/);
});
