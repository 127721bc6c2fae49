import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeError } from '../decode-error.ts';
import { allSteps } from '../../../base/steps.ts';
import { TextDocument, interpret } from './document.ts';

test('interpret() finds kind and version in any case, the last one winning', () => {
  assert.deepEqual(interpret('{"KIND":"A","apiVersion":"v1"}'), { apiVersion: 'v1', kind: 'A' });
  assert.deepEqual(interpret('{"kind":"A","Kind":"B"}'), { apiVersion: '', kind: 'B' });
  assert.deepEqual(interpret('null'), { apiVersion: '', kind: '' });
});

const refused: readonly (readonly [input: string, message: string])[] = [
  ['', 'unexpected end of JSON input'],
  [
    '[]',
    'json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
  ],
  ['{"kind":1}', 'json: cannot unmarshal number into Go struct field .kind of type string'],
];

for (const [input, message] of refused) {
  test(`interpret() refuses ${JSON.stringify(input)}`, () => {
    assert.throws(() => interpret(input), new DecodeError(`couldn't get version/kind; json parse error: ${message}`));
  });
}

test('TextDocument.reading() pauses between the scan and the parse, and reads the same', () => {
  const text = '{"a":[1,{"b":"c"}]}';
  assert.equal(TextDocument.reading(text).toArray().length, 1);
  const read = allSteps(TextDocument.reading(Buffer.from(text)));
  assert.deepEqual(read.take(), new TextDocument(text).take());
  assert.deepEqual(read.scan, new TextDocument(text).scan);
  assert.throws(() => allSteps(TextDocument.reading('{')), DecodeError);
});
