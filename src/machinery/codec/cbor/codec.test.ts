import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchema } from '../../../schema/index.ts';
import type { StructType } from '../../type-model.ts';
import { DecodeError } from '../decode-error.ts';
import { createJsonCodec } from '../json/codec.ts';
import { createCborCodec } from './codec.ts';

const json = createJsonCodec();
const cbor = createCborCodec(json);
const schema = createSchema();

function coreType(kind: string): StructType {
  const type = schema.typeOf({ group: '', version: 'v1', kind });
  assert.ok(type);
  return type;
}

const [configMap, secret, service] = [coreType('ConfigMap'), coreType('Secret'), coreType('Service')];

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

test('objects are written self-described, with short keys first and text as byte strings', () => {
  const object = { kind: 'A', metadata: { name: 'x' }, data: { bb: '', a: '1' } };
  assert.equal(
    cbor.encode(object, configMap).toString('hex'),
    'd9d9f7a3' + '4464617461a2' + '41614131' + '42626240' + '446b696e644141' + '486d65746164617461a1' + '446e616d654178',
  );
});

test('[]byte is written as bytes that are meant to be shown as base64', () => {
  assert.equal(cbor.encode({ data: { a: 'YWJj' } }, secret).toString('hex'), 'd9d9f7a24464617461a14161d643616263486d65746164617461a0');
  assert.deepEqual(cbor.decodeUnstructured(hex('a1 4161 d6 43616263')).object, { a: 'YWJj' });
  assert.deepEqual(cbor.decode(hex('a1 4464617461 a1 4161 d6 43616263'), secret, 'ignore').object['data'], { a: 'YWJj' });
  assert.deepEqual(cbor.decode(hex('a1 4464617461 a1 4161 44 59574a6a'), secret, 'ignore').object['data'], { a: 'YWJj' });
});

test('numbers without a type keep their kind and take the shortest form', () => {
  assert.equal(
    cbor.encodeUnstructured({ a: 1, b: 1.5, c: 0.1, d: -500, e: 2n ** 62n }).toString('hex'),
    'd9d9f7a5' + '416101' + '4162f93e00' + '4163fb3fb999999999999a' + '41643901f3' + '41651b4000000000000000',
  );
});

test('a watch event holds the object as it was encoded', () => {
  const event = cbor.encodeWatchEvent('ADDED', cbor.encodeUnstructured({ a: 1 }));
  assert.equal(event.toString('hex'), 'd9d9f7a2' + '4474797065' + '454144444544' + '466f626a656374' + 'd9d9f7a1416101');
  assert.deepEqual(cbor.decodeUnstructured(event).object, { type: 'ADDED', object: { a: 1 } });
});

test('text, indefinite lengths, time tags and unknown tags are read', () => {
  const bytes = hex(
    'bf 6161 9f 01 ff 6162 7f 6178 6179 ff 6163 c1 00 6164 c0 74 323032302d30312d30315431303a30303a30305a 6165 d9ffff f5 ff',
  );
  assert.deepEqual(cbor.decodeUnstructured(bytes).object, {
    a: [1],
    b: 'xy',
    c: '1970-01-01T00:00:00Z',
    d: '2020-01-01T10:00:00Z',
    e: true,
  });
});

test('IntOrString is read from either', () => {
  const ports = cbor.decode(
    cbor.encodeUnstructured({
      spec: {
        ports: [
          { port: 1, targetPort: 'http' },
          { port: 2, targetPort: 80 },
        ],
      },
    }),
    service,
    'strict',
  );
  assert.deepEqual((ports.object['spec'] as { ports: unknown }).ports, [
    { port: 1, targetPort: 'http' },
    { port: 2, targetPort: 80 },
  ]);
});

test('strict decoding reports the position of the first unknown field', () => {
  assert.deepEqual(cbor.decode(hex('a2 446b696e64 4141 43666f6f 01'), configMap, 'strict').strictErrors, [
    'cbor: found unknown field at map element index 1',
  ]);
});

const refused: readonly (readonly [bytes: string, message: string])[] = [
  ['', 'EOF'],
  ['a1', 'unexpected EOF'],
  ['a0 00', 'cbor: 1 bytes of extraneous data starting at index 1'],
  ['a1 4161 fb7ff8000000000000', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
  ['a1 4161 c2 4101', 'cbor: data item of cbor type tag is not accepted by protocol: bignum'],
  ['a1 4161 f7', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized'],
  [
    'a1 4161 1bffffffffffffffff',
    "cbor: cannot unmarshal positive integer into Go value of type int64 (18446744073709551615 overflows Go's int64)",
  ],
  ['a2 4161 00 4161 01', 'cbor: found duplicate map key "a" at map element index 1'],
  ['a1 01 02', 'cbor: cannot unmarshal positive integer into Go value of type string'],
  ['a1 61ff 01', 'cbor: invalid UTF-8 string'],
  ['5b ffffffffffffffff', 'cbor: byte string length 18446744073709551615 is too large, causing integer overflow'],
  ['bb 00000000ffffffff', 'cbor: exceeded max number of key-value pairs 2097152 for CBOR map'],
  ['9b 000000007fffffff', 'unexpected EOF'],
  ['81'.repeat(10_001), 'cbor: exceeded max nested level 10000'],
  ['1c', 'cbor: invalid additional information 28 for type positive integer'],
];

for (const [bytes, message] of refused) {
  test(`the CBOR codec refuses ${bytes.slice(0, 40) || 'nothing'} with ${message}`, () => {
    assert.throws(() => cbor.decodeUnstructured(hex(bytes)), new DecodeError(message));
  });
}

const pieces: readonly (readonly [bytes: string, value: string | undefined])[] = [
  ['7f 6161 60 62c3a4 ff', 'aä'],
  ['5f 4161 41ff 5801 62 ff', 'a\ufffdb'],
  ['7f ff', ''],
  ['7f 61c3 61a4 ff', undefined],
  ['7f 6178 61c3 ff', undefined],
];

for (const [bytes, value] of pieces) {
  test(`pieces of a string, ${bytes}, are ${value === undefined ? 'refused' : `read as ${JSON.stringify(value)}`}`, () => {
    const read = (): unknown => cbor.decodeUnstructured(hex(`a1 4161 ${bytes}`)).object['a'];
    if (value === undefined) assert.throws(read, new DecodeError('cbor: invalid UTF-8 string'));
    else assert.equal(read(), value);
  });
}

test('mismatches name the outermost field', () => {
  assert.throws(
    () => cbor.decode(cbor.encodeUnstructured({ metadata: { labels: [] } }), configMap, 'ignore'),
    new DecodeError('cbor: cannot unmarshal array into Go struct field v1.ConfigMap.metadata of type map[string]string'),
  );
});

test('interpret() tells kind and version', () => {
  assert.deepEqual(cbor.interpret(cbor.encodeUnstructured({ kind: 'A', apiVersion: 'v1', x: {} })), { kind: 'A', apiVersion: 'v1' });
  assert.throws(
    () => cbor.interpret(hex('80')),
    new DecodeError(
      'unable to determine group/version/kind: cbor: cannot unmarshal array into Go value of type v1.TypeMeta (cannot decode CBOR array to struct without toarray option)',
    ),
  );
});
