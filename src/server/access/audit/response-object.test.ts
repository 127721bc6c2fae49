import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Response } from '../../http/response.ts';
import type { Media } from '../../http/media-types.ts';
import { contentTypes } from '../../http/media-types.ts';
import { encodeObject } from '../../object/codecs.ts';
import { createCodecs } from '../../object/create-codecs.ts';
import { responseObject } from './response-object.ts';

const codecs = createCodecs();
const type = codecs.schema.typeOf({ group: '', version: 'v1', kind: 'ConfigMapList' });
assert.ok(type !== undefined);
const list = (count: number): object => ({
  kind: 'ConfigMapList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '7' },
  items: Array.from({ length: count }, (_, index) => ({ metadata: { name: `n${index}` }, data: { a: `${index}`, b: '<]}' } })),
});
const sent = (media: Media, object: object): Response => ({
  status: 200,
  headers: { 'content-type': contentTypes[media] },
  body: encodeObject(codecs, media, object, type, false),
});
const json = encodeObject(codecs, 'json', list(3), type, false).toString().trim();

for (const media of ['json', 'yaml', 'protobuf'] as const) {
  test(`a list in ${media} is recorded as JSON`, async () => {
    assert.deepEqual(await responseObject(codecs, sent(media, list(3))), { json, status: undefined });
  });
}

test('an empty list in Protobuf is recorded as JSON', async () => {
  const empty = encodeObject(codecs, 'json', list(0), type, false).toString().trim();
  assert.deepEqual(await responseObject(codecs, sent('protobuf', list(0))), { json: empty, status: undefined });
});

test('a list that is longer than what clients may send in Protobuf is recorded', async () => {
  const object = await responseObject(codecs, sent('protobuf', list(60_000)));
  assert.ok(typeof object === 'object');
  assert.equal((JSON.parse(object.json) as { items: unknown[] }).items.length, 60_000);
});

test('a list that is longer than what clients may send in YAML is not recorded, and no error', async () => {
  assert.equal(await responseObject(codecs, sent('yaml', list(20_000))), 'omitted');
});

test('a Status says what it is, and what has no kind is no object', async () => {
  const answer = (text: string): Response => ({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) });
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'a b', code: 400 };
  assert.deepEqual(await responseObject(codecs, answer(JSON.stringify(status, null, 2))), { json: JSON.stringify(status), status });
  assert.equal(await responseObject(codecs, answer('{"major":"1","minor":"37"}')), undefined);
});
