import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldTexts } from './field-texts.ts';
import { fieldSpans, writeWithFieldTexts } from './owners-text.ts';

const odd = '{"f:data":{".":{},"f:a\\"fieldsV1\\":{}":{},"k:{\\"name\\":\\"}],{\\"}":{}}}';

test('read() gives one set for one text', () => {
  const known = new FieldTexts();
  assert.equal(known.read('{"f:data":{}}'), known.read('{"f:data":{}}'));
  assert.deepEqual(known.read('{"f:data":{}}'), { 'f:data': {} });
});

test('read() keeps a bounded number of texts, and forgets the oldest', () => {
  const known = new FieldTexts();
  const text = (index: number): string => `{"f:${'x'.repeat(1000)}${index}":{}}`;
  const first = known.read(text(0));
  for (let index = 1; index < 2000; index++) known.read(text(index));
  assert.equal(known.about(first), undefined);
  assert.notEqual(known.read(text(0)), first);
  assert.notEqual(known.about(known.read(text(1999))), undefined);
});

test('writeWithFieldTexts() writes what JSON.stringify writes, whatever is known', () => {
  const known = new FieldTexts();
  const object = {
    metadata: {
      annotations: { note: '"managedFields":[{"fieldsV1":{}}]' },
      managedFields: [
        { manager: '"fieldsV1":{}', fieldsV1: known.read(odd) },
        { manager: 'b' },
        { manager: 'c', fieldsV1: { 'f:new': {} } },
        { manager: 'd', fieldsV1: known.read('{}'), subresource: 'status' },
      ],
    },
    spec: { template: { metadata: { managedFields: [{ fieldsV1: {} }] } } },
  };
  const text = JSON.stringify(object);
  assert.equal(writeWithFieldTexts(object, known), text);
  assert.equal(JSON.stringify(object), text);
});

test('writeWithFieldTexts() escapes what Go escapes', () => {
  const known = new FieldTexts();
  const object = { metadata: { managedFields: [{ fieldsV1: known.read('{"f:a":{}}') }, { fieldsV1: { 'f:<': {} } }] }, data: { b: '&' } };
  assert.equal(
    writeWithFieldTexts(object, known),
    '{"metadata":{"managedFields":[{"fieldsV1":{"f:a":{}}},{"fieldsV1":{"f:\\u003c":{}}}]},"data":{"b":"\\u0026"}}',
  );
});

test('fieldSpans() finds fieldsV1 of every manager', () => {
  const value = Buffer.from(
    `{"metadata":{"name":"ä","managedFields":[{"manager":"a","fieldsV1":${odd}},{"fieldsV1":{"f:b":{}},"subresource":"status"},{"fieldsV1":{}}]},"data":{"fieldsV1":{}}}`,
  );
  const texts = fieldSpans(value, 0).map(({ start, end }) => value.toString('utf8', start, end));
  assert.deepEqual(texts, [odd, '{"f:b":{}}', '{}']);
});
