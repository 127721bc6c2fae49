import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { BodyTooLargeError, readBounded } from './bounded-body.ts';

test('a body up to the limit is read, a larger one is not read on', async () => {
  assert.equal((await readBounded(Readable.from([Buffer.from('abc'), Buffer.from('de')]), 5)).toString(), 'abcde');
  let sent = 0;
  const endless = new Readable({
    read() {
      sent++;
      this.push(Buffer.alloc(1000));
    },
  });
  await assert.rejects(readBounded(endless, 10_000), BodyTooLargeError);
  assert.ok(endless.destroyed);
  assert.ok(sent < 200, `${sent} pieces`);
});
