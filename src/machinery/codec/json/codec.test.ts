import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchema } from '../../../schema/index.ts';
import type { StructType } from '../../type-model.ts';
import { DecodeError } from '../decode-error.ts';
import { createJsonCodec } from './codec.ts';

const schema = createSchema();
const codec = createJsonCodec();

function typeOf(apiVersion: string, kind: string): StructType {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const type = schema.typeOf({ group, version, kind });
  assert.ok(type, `${apiVersion} ${kind}`);
  return type;
}

const pod = typeOf('v1', 'Pod');
const configMap = typeOf('v1', 'ConfigMap');
const secret = typeOf('v1', 'Secret');
const service = typeOf('v1', 'Service');
const role = typeOf('rbac.authorization.k8s.io/v1', 'Role');
const revision = typeOf('apps/v1', 'ControllerRevision');
const definition = typeOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
const webhooks = typeOf('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration');

const rewritten: readonly (readonly [why: string, type: StructType, input: string, output: string])[] = [
  ['drops unknown fields', configMap, '{"bogus":1,"data":{"a":"b"}}', '{"metadata":{},"data":{"a":"b"}}'],
  ['matches names case-sensitively', configMap, '{"Data":{"a":"b"}}', '{"metadata":{}}'],
  [
    'writes fields in the order of declaration',
    configMap,
    '{"data":{"b":"1","a":"2"},"metadata":{"namespace":"n","name":"x"},"kind":"ConfigMap"}',
    '{"kind":"ConfigMap","metadata":{"name":"x","namespace":"n"},"data":{"a":"2","b":"1"}}',
  ],
  [
    'sorts keys that look like integers as text',
    configMap,
    '{"data":{"2":"b","10":"a","-":"c"}}',
    '{"metadata":{},"data":{"-":"c","10":"a","2":"b"}}',
  ],
  ['keeps a key named __proto__', configMap, '{"data":{"b":"c","__proto__":"a"}}', '{"metadata":{},"data":{"__proto__":"a","b":"c"}}'],
  ['reads null as absent', configMap, '{"metadata":null,"data":null,"immutable":null}', '{"metadata":{}}'],
  ['reads null in a map of strings as empty', configMap, '{"data":{"a":null}}', '{"metadata":{},"data":{"a":""}}'],
  [
    'merges a struct given twice, as Go does',
    configMap,
    '{"metadata":{"name":"a"},"metadata":{"namespace":"b"}}',
    '{"metadata":{"name":"a","namespace":"b"}}',
  ],
  ['takes the last of a string given twice', configMap, '{"metadata":{"name":"a","name":"b"}}', '{"metadata":{"name":"b"}}'],
  ['writes null for a list that must be there', role, '{}', '{"metadata":{},"rules":null}'],
  ['tells an empty list from none', role, '{"rules":[]}', '{"metadata":{},"rules":[]}'],
  ['completes null elements', role, '{"rules":[null]}', '{"metadata":{},"rules":[{"verbs":null}]}'],
  ['writes structs that omitempty cannot leave out', pod, '{}', '{"metadata":{},"spec":{"containers":null},"status":{}}'],
  [
    'leaves out a zero creationTimestamp',
    pod,
    '{"metadata":{"creationTimestamp":null}}',
    '{"metadata":{},"spec":{"containers":null},"status":{}}',
  ],
  [
    'reads IntOrString of either kind',
    service,
    '{"spec":{"ports":[{"port":1,"targetPort":"http"},{"port":2,"targetPort":8080},{"port":3}]}}',
    '{"metadata":{},"spec":{"ports":[{"port":1,"targetPort":"http"},{"port":2,"targetPort":8080},{"port":3,"targetPort":0}]},"status":{"loadBalancer":{}}}',
  ],
  [
    'brings base64 to its canonical form',
    secret,
    '{"data":{"a":"YW\\nJj","b":"QR==","c":[1,2],"d":null}}',
    '{"metadata":{},"data":{"a":"YWJj","b":"QQ==","c":"AQI=","d":null}}',
  ],
  ['keeps integers beyond 2^53', configMap, '{"metadata":{"generation":9007199254740993}}', '{"metadata":{"generation":9007199254740993}}'],
  [
    'keeps any value as it is',
    revision,
    '{"data":{"z":[1,{"y":null}],"a":12345678901234567890},"revision":1}',
    '{"metadata":{},"data":{"z":[1,{"y":null}],"a":12345678901234567000},"revision":1}',
  ],
  [
    'escapes what could end a script',
    configMap,
    '{"data":{"a":"<b>&\u2028"}}',
    '{"metadata":{},"data":{"a":"\\u003cb\\u003e\\u0026\\u2028"}}',
  ],
  [
    'replaces halves of surrogate pairs',
    configMap,
    '{"data":{"a":"\\ud800x","b":"\\ud83d\\ude00"}}',
    '{"metadata":{},"data":{"a":"\ufffdx","b":"😀"}}',
  ],
  [
    'reads an empty list of schemas as none',
    definition,
    '{"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"items":[],"additionalProperties":false}}}]}}',
    '{"metadata":{},"spec":{"group":"","names":{"plural":"","kind":""},"scope":"","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"items":null,"additionalProperties":false}}}]},"status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}}',
  ],
];

for (const [why, type, input, output] of rewritten) {
  test(`the JSON codec ${why}`, () => {
    const { object } = codec.decode(Buffer.from(input), type, 'ignore');
    assert.equal(codec.encode(object, type), output);
  });
}

const refused: readonly (readonly [type: StructType, input: string, message: string])[] = [
  [configMap, '', 'unexpected end of JSON input'],
  [configMap, '{nope', "invalid character 'n' looking for beginning of object key string"],
  [configMap, '{"a":tru', "invalid character ' ' in literal true (expecting 'e')"],
  [configMap, '{"a":1}x', "invalid character 'x' after top-level value"],
  [configMap, '{"a":"\n"}', "invalid character '\\n' in string literal"],
  [configMap, '{"a":"\\x"}', "invalid character 'x' in string escape code"],
  [configMap, '{"a":01}', "invalid character '1' after object key:value pair"],
  [configMap, '[1 2]', "invalid character '2' after array element"],
  [configMap, '\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  [configMap, '{"a":-}', "invalid character '}' in numeric literal"],
  [configMap, '{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
  [configMap, '{"a":1e}', "invalid character '}' in exponent of numeric literal"],
  [configMap, '['.repeat(10_001), "invalid character '[' exceeded max depth"],
  [configMap, '[]', 'json: cannot unmarshal array into Go value of type v1.ConfigMap'],
  [
    configMap,
    '{"metadata":{"labels":"x"}}',
    'json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map[string]string',
  ],
  [
    configMap,
    '{"metadata":{"labels":{"a":1}}}',
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [configMap, '{"metadata":[]}', 'json: cannot unmarshal array into Go struct field ConfigMap.metadata of type v1.ObjectMeta'],
  [
    configMap,
    '{"metadata":{"generation":1.5}}',
    'json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64',
  ],
  [
    configMap,
    '{"metadata":{"generation":1.0}}',
    'json: cannot unmarshal number 1.0 into Go struct field ObjectMeta.metadata.generation of type int64',
  ],
  [
    configMap,
    '{"metadata":{"creationTimestamp":5}}',
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
  ],
  [configMap, '{"data":{"a":[]},"metadata":7}', 'json: cannot unmarshal array into Go struct field ConfigMap.data of type string'],
  [
    service,
    '{"spec":{"ports":[{"port":99999999999}]}}',
    'json: cannot unmarshal number 99999999999 into Go struct field ServicePort.spec.ports.port of type int32',
  ],
  [
    service,
    '{"spec":{"clusterIP":1,"ports":[{"targetPort":true}]}}',
    'json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32',
  ],
  [secret, '{"data":{"a":"!"}}', 'illegal base64 data at input byte 0'],
  [secret, '{"data":{"a":"YWJ"}}', 'illegal base64 data at input byte 0'],
  [secret, '{"data":{"a":"YWJjYQ=x"}}', 'illegal base64 data at input byte 6'],
  [
    pod,
    '{"spec":{"containers":[{"resources":{"limits":{"cpu":"x"}}}]}}',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    webhooks,
    '{"webhooks":[{"rules":[{"apiVersions":[{}]}]}]}',
    'json: cannot unmarshal object into Go struct field RuleWithOperations.webhooks.rules.Rule.apiVersions of type string',
  ],
  [
    definition,
    '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"items":{"type":1}}}}]}}',
    'json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items.type of type string',
  ],
  [definition, '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"additionalProperties":"x"}}}]}}', 'boolean or JSON schema expected'],
];

for (const [type, input, message] of refused) {
  test(`the JSON codec refuses ${input.slice(0, 60)} with ${message}`, () => {
    assert.throws(() => codec.decode(Buffer.from(input), type, 'ignore'), new DecodeError(message));
  });
}

const strict: readonly (readonly [type: StructType, input: string, errors: readonly string[]])[] = [
  [configMap, '{"metadata":{"name":"a"},"data":{"a":"b"}}', []],
  [configMap, '{"bogus":1,"metadata":{"zoo":{"a":1}},"bogus":2}', ['unknown field "bogus"', 'unknown field "metadata.zoo"']],
  [configMap, '{"data":{"a":"1","a":"2"},"data":{}}', ['duplicate field "data.a"', 'duplicate field "data"']],
  [
    pod,
    '{"spec":{"containers":[{"name":"a"},{"name":"b","name":"c","x":1}]}}',
    ['duplicate field "spec.containers[1].name"', 'unknown field "spec.containers[1].x"'],
  ],
  [revision, '{"data":{"a":1,"a":2}}', []],
];

for (const [type, input, errors] of strict) {
  test(`strict decoding of ${input} reports ${errors.length} errors`, () => {
    assert.deepEqual(codec.decode(input, type, 'strict').strictErrors, errors);
    assert.deepEqual(codec.decode(input, type, 'ignore').strictErrors, []);
  });
}

test('strict decoding reports at most 100 errors', () => {
  const input = JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1])));
  assert.equal(codec.decode(input, configMap, 'strict').strictErrors.length, 100);
});

test('bytes that are no UTF-8 become one replacement character each', () => {
  const input = Buffer.concat([Buffer.from('{"data":{"a":"'), Buffer.from([0xe2, 0x82, 0xff, 0x41]), Buffer.from('"}}')]);
  const { object } = codec.decode(input, configMap, 'ignore');
  assert.deepEqual(object['data'], { a: '\ufffd\ufffd\ufffdA' });
});

test('decodeUnstructured() keeps numbers and reports duplicates with their path', () => {
  const { object, strictErrors } = codec.decodeUnstructured(
    '{"kind":"W","spec":{"a":1,"b":[{"c":1,"c":2}],"n":9007199254740993,"f":1.5}}',
    'strict',
  );
  assert.deepEqual(object, { kind: 'W', spec: { a: 1, b: [{ c: 2 }], n: 9007199254740993n, f: 1.5 } });
  assert.deepEqual(strictErrors, ['duplicate field "spec.b[0].c"']);
});

test('decodeUnstructured() refuses what is no object', () => {
  assert.throws(
    () => codec.decodeUnstructured('[]', 'strict'),
    new DecodeError('json: cannot unmarshal array into Go value of type map[string]interface {}'),
  );
});

test('encodeUnstructured() sorts keys at every level', () => {
  assert.equal(
    codec.encodeUnstructured({ b: { z: 1, 10: 2, 9: 3 }, a: [{ y: 1n, x: '<' }] }),
    '{"a":[{"x":"\\u003c","y":1}],"b":{"10":2,"9":3,"z":1}}',
  );
});

test('bytes that will be kept share their memory with nothing else', () => {
  const object = { metadata: { name: 'x' }, data: { a: 'Zürich', b: '\ud83d\ude00' } };
  for (const bytes of [codec.encodeBuffer(object, configMap), codec.encodeStored(object, configMap)]) {
    assert.equal(bytes.buffer.byteLength, bytes.length);
    assert.equal(String(bytes), codec.encode(object, configMap));
  }
});
