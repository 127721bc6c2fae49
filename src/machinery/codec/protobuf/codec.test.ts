import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchema } from '../../../schema/index.ts';
import type { StructType } from '../../type-model.ts';
import { DecodeError } from '../decode-error.ts';
import { createJsonCodec } from '../json/codec.ts';
import { createProtobufCodec, encodeEnvelope } from './index.ts';

const schema = createSchema();
const codec = createProtobufCodec();

function typeOf(kind: string, group = '', version = 'v1'): StructType {
  const found = schema.typeOf({ group, version, kind });
  assert.ok(found, kind);
  return found;
}

const configMap = typeOf('ConfigMap');
/** metadata with nothing but the name `a`: zero scalars are written, and so is the empty creation time */
const metadata = '0a11' + '0a0161' + '12001a0022002a003200' + '3800' + '4200';

interface Case {
  readonly says: string;
  readonly type: StructType;
  readonly hex: string;
  readonly object: Record<string, unknown>;
}

const cases: readonly Case[] = [
  {
    says: 'zero scalars are written, absent in JSON',
    type: configMap,
    hex: metadata,
    object: { metadata: { name: 'a' } },
  },
  {
    says: 'maps are sorted by key',
    type: configMap,
    hex: `${metadata}12060a016112013112060a0162120132`,
    object: { metadata: { name: 'a' }, data: { a: '1', b: '2' } },
  },
  {
    says: 'bytes are base64 in JSON, and an empty value stays',
    type: typeOf('Secret'),
    hex: `${metadata}12050a0165120012080a016b12030102031a00`,
    object: { metadata: { name: 'a' }, data: { e: '', k: 'AQID' } },
  },
  {
    says: 'a pointer to false is written',
    type: configMap,
    hex: `${metadata}2000`,
    object: { metadata: { name: 'a' }, immutable: false },
  },
  {
    says: 'times are seconds, and zero nanoseconds are written',
    type: typeOf('ConfigMap'),
    hex: '0a19' + '0a0161' + '12001a0022002a003200' + '3800' + '4208' + '08cda1e6bb04' + '1000',
    object: { metadata: { name: 'a', creationTimestamp: '2008-01-01T01:01:01Z' } },
  },
];

for (const { says, type, hex, object } of cases) {
  test(says, () => {
    assert.deepEqual(codec.decode(Buffer.from(hex, 'hex'), type), object);
    assert.equal(codec.encode(object, type).toString('hex'), hex);
  });
}

test('an object comes back in canonical form, with the zero values that JSON shows', () => {
  const pod = codec.decode(codec.encode({ spec: { containers: [{ name: 'c', image: 'i' }] } }, typeOf('Pod')), typeOf('Pod'), {
    apiVersion: 'v1',
    kind: 'Pod',
  });
  assert.equal(
    JSON.stringify(pod),
    '{"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":[{"name":"c","image":"i","resources":{}}]},"status":{}}',
  );
  assert.deepEqual(codec.decode(Buffer.alloc(0), typeOf('Service')), { metadata: {}, spec: {}, status: { loadBalancer: {} } });
  assert.deepEqual(codec.decode(Buffer.alloc(0), typeOf('PodList')), { metadata: {}, items: null });
});

const roundTrips: readonly { readonly says: string; readonly type: StructType; readonly object: Record<string, unknown> }[] = [
  {
    says: 'quantities, numbers or strings, inlined sources',
    type: typeOf('Pod'),
    object: {
      metadata: { name: 'p', labels: { app: 'x' }, generation: 9007199254740993n },
      spec: {
        volumes: [
          { name: 'v', emptyDir: { sizeLimit: '1Gi' } },
          { name: 'w', configMap: { name: 'n', defaultMode: 420 } },
        ],
        containers: [
          {
            name: 'c',
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            resources: { limits: { cpu: '500m', memory: '64Mi' } },
            livenessProbe: { httpGet: { path: '/', port: 'http' }, failureThreshold: 3 },
            readinessProbe: { tcpSocket: { port: 8080 } },
          },
        ],
        securityContext: { runAsUser: -1, supplementalGroups: [1, 2, 3] },
      },
      status: {},
    },
  },
  {
    says: 'lists that are messages of their own',
    type: typeOf('SubjectAccessReview', 'authorization.k8s.io'),
    object: { metadata: {}, spec: { user: 'u', extra: { a: ['1', '2'], b: [] } }, status: { allowed: false } },
  },
  {
    says: 'microseconds',
    type: typeOf('Lease', 'coordination.k8s.io'),
    object: { metadata: {}, spec: { renewTime: '2026-01-02T03:04:05.000006Z', acquireTime: '1969-12-31T23:59:59.999999Z' } },
  },
  {
    says: 'text beyond ASCII and keys beyond the basic plane in the order of their bytes',
    type: configMap,
    object: { metadata: { name: 'ä'.repeat(30) }, data: { '\u{10000}': 'x', '\uffff': '𝄞'.repeat(100) } },
  },
  {
    says: 'schemas with values of several shapes',
    type: typeOf('CustomResourceDefinition', 'apiextensions.k8s.io'),
    object: {
      metadata: {},
      spec: {
        group: 'g',
        names: { plural: 'ps', kind: 'P' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                maximum: 1.5,
                default: { a: [1, 'x', null, true] },
                enum: ['a', 1],
                properties: {
                  a: { items: { type: 'string' } },
                  b: { items: [{ type: 'string' }, {}] },
                  c: { additionalProperties: false },
                  d: { additionalProperties: true },
                  e: { additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true } },
                  f: { dependencies: { x: ['y'], z: { type: 'integer' } } },
                },
              },
            },
          },
        ],
      },
      status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
    },
  },
];

for (const { says, type, object } of roundTrips) {
  test(`${says} survive a round trip`, () => {
    const bytes = codec.encode(object, type);
    const back = codec.decode(bytes, type);
    assert.deepEqual(back, object);
    assert.ok(codec.encode(back, type).equals(bytes));
  });
}

test('quantities come back canonical', () => {
  const type = typeOf('Pod');
  const bytes = codec.encode({ spec: { containers: [{ name: 'c', resources: { limits: { cpu: '1000m', memory: '1024Mi' } } }] } }, type);
  const pod = codec.decode(bytes, type) as { spec: { containers: { resources: { limits: unknown } }[] } };
  assert.deepEqual(pod.spec.containers[0]?.resources.limits, { cpu: '1', memory: '1Gi' });
});

test('a key that names the prototype is a key like any other', () => {
  const data = Object.fromEntries([['__proto__', 'x']]);
  const back = codec.decode(codec.encode({ data }, configMap), configMap) as { data: object };
  assert.deepEqual(Object.entries(back.data), [['__proto__', 'x']]);
  assert.equal(Object.getPrototypeOf(back.data), Object.prototype);
});

test('a message in several parts is merged, a repeated scalar may be packed', () => {
  const parts = Buffer.from('0a030a0161' + '0a031a016e', 'hex');
  assert.deepEqual(codec.decode(parts, configMap), { metadata: { name: 'a', namespace: 'n' } });
  const context = schema.structByName('io.k8s.api.core.v1.PodSecurityContext');
  assert.ok(context);
  assert.deepEqual(codec.decode(Buffer.from('2203010203' + '2004', 'hex'), context), { supplementalGroups: [1, 2, 3, 4] });
});

test('unknown fields are skipped, groups included', () => {
  const unknown = 'f87f01' + 'f97f0000000000000000' + 'fa7f0161' + 'fb7f0801fc7f' + 'fd7f00000000';
  assert.deepEqual(codec.decode(Buffer.from(unknown + metadata, 'hex'), configMap), { metadata: { name: 'a' } });
});

test('objects beyond the first buffer are written whole', () => {
  const data = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`key-${i}`, 'x'.repeat(i % 200)]));
  const bytes = codec.encode({ metadata: {}, data }, configMap);
  assert.deepEqual(codec.decode(bytes, configMap), { metadata: {}, data });
});

const failures: readonly (readonly [says: string, hex: string, message: string])[] = [
  ['a message that ends early', '0a05', 'unexpected EOF'],
  ['a tag that ends early', '80', 'unexpected EOF'],
  ['a string that ends early', '0a020a05', 'unexpected EOF'],
  ['another wire type', '08', 'proto: wrong wireType = 0 for field ObjectMeta'],
  ['another wire type further down', '0a020801', 'proto: wrong wireType = 0 for field Name'],
  ['a number where bytes are', '2200', 'proto: wrong wireType = 2 for field Immutable'],
  ['field number zero', '00', 'proto: ConfigMap: illegal tag 0 (wire type 0)'],
  ['the end of a group', '0c', 'proto: ConfigMap: wiretype end group for non-group'],
  ['an unknown wire type', 'f67f', 'proto: illegal wireType 6'],
  ['the end of another group', 'fb7ffc7ffc7f', 'proto: ConfigMap: wiretype end group for non-group'],
  ['a varint of eleven bytes', '20ffffffffffffffffffff01', 'proto: integer overflow'],
  ['a negative length', '0affffffffffffffffff01', 'proto: negative length found during unmarshaling'],
  ['a length beyond everything', '0affffffff7f', 'unexpected EOF'],
  ['a length that overflows', '0affffffffffffffff7f', 'proto: negative length found during unmarshaling'],
];

for (const [says, hex, message] of failures) {
  test(`${says} is an error in upstream's words`, () => {
    assert.throws(() => codec.decode(Buffer.from(hex, 'hex'), configMap), new DecodeError(message));
  });
}

test('nesting without end is an error, not a stack overflow', () => {
  const type = schema.structByName('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
  assert.ok(type);
  let object: Record<string, unknown> = {};
  for (let i = 0; i < 200; i++) object = { not: object };
  assert.deepEqual(codec.decode(codec.encode(object, type), type), object);
  let bytes = Buffer.alloc(0);
  for (let i = 0; i < 5000; i++) bytes = Buffer.concat([Buffer.from([0xe2, 0x01]), length(bytes.length), bytes]);
  assert.throws(() => codec.decode(bytes, type), DecodeError);
});

test('JSON of a schema is escaped as Go does it, and a large bound may be a bigint', () => {
  const definition = typeOf('CustomResourceDefinition', 'apiextensions.k8s.io');
  const openAPIV3Schema = { enum: ['<='], maximum: 9223372036854775000n };
  const encoded = codec.encode({ metadata: {}, spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema } }] } }, definition);
  assert.ok(Buffer.from(encoded).includes(String.raw`"\u003c="`));
  const double = Buffer.alloc(8);
  double.writeDoubleLE(9223372036854775000);
  assert.ok(Buffer.from(encoded).includes(double));
});

function length(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

test('a body of more texts and messages than anybody sends is refused', () => {
  const codec = createProtobufCodec();
  const entry = Buffer.from('12060a016b120161', 'hex');
  const type = typeOf('ConfigMap');
  assert.deepEqual(codec.decode(Buffer.alloc(entry.length * 66_000, entry), type).data, { k: 'a' });
  assert.throws(() => codec.decode(Buffer.alloc(entry.length * 67_000, entry), type), /limit is 200000 texts and messages of Protobuf/);
});

test('sets of fields whose JSON is known are written as any others', () => {
  const { fieldTexts } = createJsonCodec();
  let asked = 0;
  const knowing = createProtobufCodec((set) => (asked++, fieldTexts.plainText(set)));
  for (const key of ['f:data', 'f:<&>', 'f:\u2028', 'f:\n']) {
    const fieldsV1 = fieldTexts.share({ [key]: { '.': {} } });
    const object = { metadata: { name: 'a', managedFields: [{ manager: 'm', fieldsV1 }] } };
    assert.deepEqual(knowing.encode(object, configMap), codec.encode(object, configMap));
    assert.equal(fieldTexts.plainText(fieldsV1) !== undefined, ['f:data', 'f:\n'].includes(key), key);
  }
  assert.equal(asked, 4);
});

test('an object in its envelope is the message and what is around it', () => {
  const typeMeta = { kind: 'ConfigMap', apiVersion: 'v1' };
  const object = { metadata: { name: 'a' }, data: { a: 'x'.repeat(100_000) } };
  assert.deepEqual(codec.encodeEnveloped(object, configMap, typeMeta), encodeEnvelope(codec.encode(object, configMap), typeMeta));
});
