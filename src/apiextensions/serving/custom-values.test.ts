import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCodecs } from '../../server/object/create-codecs.ts';
import type { Transformed } from '../../storage/encryption/ciphers/transformer.ts';
import { customValues } from './custom-values.ts';

const [json, cbor] = [customValues(createCodecs()), customValues(createCodecs({ cbor: true }))];
const value = Buffer.from('{"apiVersion":"a/v1","kind":"A","metadata":{"name":"x"},"spec":{"big":9223372036854775807,"half":0.5}}');
const inJson = (await json.toStorage(value, '/a')) as Buffer;
const inCbor = (await cbor.toStorage(value, '/a')) as Buffer;

test('values are lines of JSON, or CBOR that says so', () => {
  assert.equal(inJson.toString(), `${value.toString()}\n`);
  assert.equal(inCbor.toString('hex', 0, 3), 'd9d9f7');
});

for (const [writer, stored] of [
  ['JSON', inJson],
  ['CBOR', inCbor],
] as const) {
  for (const [reader, format] of [
    ['JSON', json],
    ['CBOR', cbor],
  ] as const) {
    test(`what is stored as ${writer} is read where new values are ${reader}, and is stale there if they differ`, async () => {
      const read: Transformed = await format.fromStorage(stored, '/a');
      assert.equal(read.value.toString(), value.toString());
      assert.equal(read.stale, writer !== reader);
    });
  }
}
