import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeError } from '../decode-error.ts';
import { decodeEnvelope, decodeWatchEvent, encodeEnvelope, encodeWatchFrame, frameListItem, FrameReader, listAround } from './index.ts';

const typeMeta = { apiVersion: 'v1', kind: 'Pod' };
const enveloped = '6b387300' + '0a090a0276311203506f64' + '12020a00' + '1a002200';

test('an envelope says what its message is', () => {
  assert.equal(encodeEnvelope(Buffer.from('0a00', 'hex'), typeMeta).toString('hex'), enveloped);
  const { typeMeta: found, raw, contentEncoding, contentType } = decodeEnvelope(Buffer.from(enveloped, 'hex'));
  assert.deepEqual(
    { found, raw: raw.toString('hex'), contentEncoding, contentType },
    { found: typeMeta, raw: '0a00', contentEncoding: '', contentType: '' },
  );
});

const failures: readonly (readonly [says: string, hex: string, message: string])[] = [
  ['no data', '', 'empty data'],
  ['JSON', '7b7d', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
  ['the prefix alone', '6b387300', 'empty body'],
  ['a cut envelope', enveloped.slice(0, 20), 'unexpected EOF'],
  ['another wire type', '6b38730008', 'proto: wrong wireType = 0 for field TypeMeta'],
];

for (const [says, hex, message] of failures) {
  test(`${says} is refused as upstream does`, () => {
    assert.throws(() => decodeEnvelope(Buffer.from(hex, 'hex')), new DecodeError(message));
  });
}

test('a list is its metadata and framed items, one after the other', () => {
  const items = [Buffer.from('0a00', 'hex'), Buffer.alloc(200, 1)].map(frameListItem);
  const { before, after } = listAround(
    { apiVersion: 'v1', kind: 'PodList' },
    Buffer.from('120161', 'hex'),
    items.reduce((sum, item) => sum + item.length, 0),
  );
  const { typeMeta: found, raw } = decodeEnvelope(Buffer.concat([before, ...items, after]));
  assert.deepEqual(found, { apiVersion: 'v1', kind: 'PodList' });
  assert.equal(raw.toString('hex'), `0a0312016112020a0012c801${'01'.repeat(200)}`);
});

test('watch events are frames with a length, wherever the stream is cut', () => {
  const object = Buffer.from(enveloped, 'hex');
  const stream = Buffer.concat([encodeWatchFrame('ADDED', object), encodeWatchFrame('DELETED', object)]);
  const reader = new FrameReader();
  const events = Array.from(stream, (_, i) => reader.push(stream.subarray(i, i + 1)))
    .flat()
    .map(decodeWatchEvent);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ADDED', 'DELETED'],
  );
  assert.ok(events.every((event) => event.object.equals(object)));
});

test('a frame beyond the limit is refused before it is read', () => {
  assert.throws(() => new FrameReader(100).push(Buffer.from('ffffffff', 'hex')), DecodeError);
});
