import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeError } from '../machinery/codec/decode-error.ts';
import { createSchema } from '../schema/index.ts';
import { OpaqueTypes, sortKeys } from './strategic/opaque.ts';
import { restore } from './restore.ts';

const schema = createSchema();
const deployment = schema.typeOf({ group: 'apps', version: 'v1', kind: 'Deployment' })!;
const secret = schema.typeOf({ group: '', version: 'v1', kind: 'Secret' })!;
const revision = schema.typeOf({ group: 'apps', version: 'v1', kind: 'ControllerRevision' })!;

const inContainer = (container: object): object => ({ spec: { template: { spec: { containers: [container] } } } });

const refused: readonly (readonly [value: object, message: string])[] = [
  [{ spec: 'x' }, 'cannot restore struct from: string'],
  [{ spec: { template: { spec: { containers: { a: 1 } } } } }, 'cannot restore slice from map'],
  [{ metadata: { labels: [1] } }, 'cannot restore map from slice'],
  [{ metadata: { labels: { a: { b: 1 } } } }, 'unrecognized type: string'],
  [{ metadata: { labels: { a: 1 } } }, 'cannot convert int64 to string'],
  [{ spec: { replicas: 'x' } }, 'unrecognized type: int32'],
  [{ spec: { replicas: 1.5 } }, 'cannot convert float64 to int32'],
  [{ spec: { paused: 1 } }, 'unrecognized type: bool'],
  [inContainer({ readinessProbe: { httpGet: { port: { a: 1 } } } }), 'json: cannot unmarshal object into Go value of type int32'],
  [{ metadata: { creationTimestamp: { a: 1 } } }, 'json: cannot unmarshal object into Go value of type string'],
  [inContainer({ imagePullPolicy: 3 }), 'cannot convert int64 to v1.PullPolicy'],
];

for (const [value, message] of refused) {
  test(`restoring ${JSON.stringify(value)} fails with ${message}`, () => {
    assert.throws(() => restore(value, deployment), new DecodeError(message));
  });
}

test('integers that are too large lose their upper bits', () => {
  assert.deepEqual(restore({ spec: { replicas: 2 ** 32 + 3 } }, deployment), { spec: { replicas: 3 } });
  assert.deepEqual(restore({ spec: { replicas: 2 ** 31 } }, deployment), { spec: { replicas: -(2 ** 31) } });
});

test('bytes that are no base64 are refused in the words of the JSON decoder', () => {
  assert.throws(
    () => restore({ data: { a: '!' } }, secret),
    new DecodeError('error decoding from json: illegal base64 data at input byte 0'),
  );
});

test('holds() finds values that nobody declared at any depth', () => {
  const types = new OpaqueTypes();
  assert.equal(types.holds(revision), true);
  assert.equal(types.holds(deployment), false);
});

test('sortKeys() orders keys at every level', () => {
  assert.equal(JSON.stringify(sortKeys({ b: [{ d: 1, c: 2 }], a: 3 })), '{"a":3,"b":[{"c":2,"d":1}]}');
});

test('a list that stands for bytes is a list of numbers', () => {
  assert.deepEqual(restore({ data: { a: [104, 105, 256, null] } }, secret), {
    data: { a: Buffer.from([104, 105, 0, 0]).toString('base64') },
  });
  assert.throws(() => restore({ data: { a: ['x'] } }, secret), new DecodeError('unrecognized type: uint8'));
  assert.throws(() => restore({ data: { a: [1.5] } }, secret), new DecodeError('cannot convert float64 to uint8'));
});
