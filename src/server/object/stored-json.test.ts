import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locate } from './stored-json.ts';

const prefix = Buffer.from('{"kind":"ConfigMap","apiVersion":"v1",');

function withVersion(stored: string, sorted = false): unknown {
  const { splice, before, after } = locate(Buffer.from(stored), prefix, sorted);
  const bytes = Buffer.from(stored);
  const text = `${bytes.toString('utf8', 0, splice)}${before}7${after}${bytes.toString('utf8', splice)}`;
  return JSON.parse(text);
}

const objects: readonly (readonly [name: string, stored: string, sorted?: boolean])[] = [
  ['after the uid', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u"},"data":{"k":"v"}}'],
  ['into empty metadata', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{}}'],
  ['after the name where there is no uid', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}'],
  [
    'past texts that look like JSON',
    '{"kind":"ConfigMap","apiVersion":"v1","data":{"\\"metadata\\":{":"}\\\\"},"metadata":{"name":"}\\"{","uid":"u"}}',
  ],
  [
    'past lists and numbers',
    '{"kind":"ConfigMap","apiVersion":"v1","a":[1,{"metadata":{"uid":"x"}}],"b":-1.5e3,"metadata":{"generation":2,"uid":"u"}}',
  ],
  ['before the uid of a custom resource', '{"apiVersion":"e.com/v1","kind":"W","metadata":{"name":"a","uid":"u"}}', true],
];

for (const [name, stored, sorted] of objects) {
  test(`locate() puts the resource version ${name}`, () => {
    const expected = JSON.parse(stored) as { metadata: object };
    assert.deepEqual(withVersion(stored, sorted), { ...expected, metadata: { ...expected.metadata, resourceVersion: '7' } });
  });
}

test('locate() keeps the order of fields where there is no uid', () => {
  const text = (stored: string, sorted: boolean): string => JSON.stringify(withVersion(stored, sorted));
  assert.equal(
    text('{"metadata":{"name":"a","namespace":"n","labels":{}}}', false),
    '{"metadata":{"name":"a","namespace":"n","resourceVersion":"7","labels":{}}}',
  );
  assert.equal(text('{"metadata":{"name":"a"}}', true), '{"metadata":{"name":"a","resourceVersion":"7"}}');
  assert.equal(text('{"metadata":{"name":"a","selfLink":"s"}}', true), '{"metadata":{"name":"a","resourceVersion":"7","selfLink":"s"}}');
});

test('locate() finds where the body begins after kind and apiVersion', () => {
  const stored = Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{}}');
  assert.equal(locate(stored, prefix, false).bodyStart, prefix.length);
  assert.equal(locate(Buffer.from('{"apiVersion":"v1","kind":"X","metadata":{}}'), prefix, false).bodyStart, 0);
});

test('locate() refuses what is no object with metadata', () => {
  assert.throws(() => locate(Buffer.from('{"kind":"X"}'), prefix, false), /no metadata/);
  assert.throws(() => locate(Buffer.from('{"kind":"X'), prefix, false), /cut off/);
});
