import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeUtf8 } from './go-text.ts';

test('decodeUtf8() has one replacement for each byte that belongs to no character', () => {
  const cases: readonly (readonly [hex: string, text: string])[] = [
    ['61', 'a'],
    ['c3a9e282acf09f9880', 'é€😀'],
    ['61ff62', 'a\ufffdb'],
    ['e28261', '\ufffd\ufffda'],
    ['f09f98', '\ufffd\ufffd\ufffd'],
    ['c080', '\ufffd\ufffd'],
    ['eda080', '\ufffd\ufffd\ufffd'],
    ['efbfbd', '\ufffd'],
    ['ff', '\ufffd'],
  ];
  for (const [hex, text] of cases) assert.equal(decodeUtf8(Buffer.from(hex, 'hex')), text, hex);
});
