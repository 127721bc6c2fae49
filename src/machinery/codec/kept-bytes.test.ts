import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptBytes, ownBytes } from './kept-bytes.ts';

test('bytes that are kept have memory of their own', () => {
  const text = 'Zürich \u{1f600}';
  const shared = Buffer.from(text);
  assert.ok(shared.buffer.byteLength > shared.length);
  for (const own of [keptBytes(text), ownBytes(shared), ownBytes(keptBytes(text))]) {
    assert.equal(own.buffer.byteLength, own.length);
    assert.deepEqual(own, shared);
  }
  const already = keptBytes(text);
  assert.equal(ownBytes(already), already);
});
