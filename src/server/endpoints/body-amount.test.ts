import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../machinery/errors.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { createCodecs } from '../object/create-codecs.ts';
import { checkAmount, checkCborAmount, checkObjectAmount } from './body-amount.ts';

const members = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;
const objects = (count: number): string => `[${Array.from({ length: count }, () => '{"a":1,"b":{}}').join(',')}]`;

for (const [what, body, message] of [
  ['as many fields as one object may have', members(50_000), undefined],
  ['more fields than one object may have', members(50_001), 'limit is 50000 fields of one object'],
  ['as many fields as a body may have', objects(75_000), undefined],
  ['more fields than a body may have', objects(75_001), 'limit is 150000 fields'],
  ['as many items as a body may have', `[${'1,'.repeat(300_000)}1]`, undefined],
  ['more items than a body may have', `[${'1,'.repeat(300_001)}1]`, 'limit is 300000 items'],
  ['as many objects in lists as a body may have', `{"a":[${'{},'.repeat(74_999)}{}],"b":{"c":{}},"d":"${'x'.repeat(50_000)}"}`, undefined],
  [
    'more objects in lists than a body may have',
    `{"a":[${'{},'.repeat(75_000)}{}],"d":"${'x'.repeat(50_000)}"}`,
    'limit is 75000 objects in lists',
  ],
  ['signs in strings', JSON.stringify(['{"a":1},\\'.repeat(300_000), '"']), undefined],
  ['what is no JSON', `"${'{'.repeat(300_000)}`, undefined],
] as const) {
  test(`${what}: ${message === undefined ? 'is left to the decoder' : 'is refused'}`, () => {
    const check = (): void => checkAmount(Buffer.from(body));
    if (message === undefined) return check();
    assert.throws(check, (error) => error instanceof ApiError && error.status.code === 413 && error.status.message!.endsWith(message));
  });
}

const { cbor } = createCodecs({ cbor: true });
/** A map of any length, ended by a break. */
const endless = (count: number): Buffer => Buffer.concat([Buffer.of(0xbf), Buffer.alloc(2 * count, 0x01), Buffer.of(0xff)]);

for (const [what, body, message] of [
  ['as many fields as one object may have', cbor.encodeUnstructured({ data: JSON.parse(members(50_000)) as object }), undefined],
  [
    'more fields than one object may have',
    cbor.encodeUnstructured({ data: JSON.parse(members(50_001)) as object }),
    'limit is 50000 fields of one object',
  ],
  ['as many fields as an object without a length may have', endless(50_000), undefined],
  ['more fields than an object without a length may have', endless(50_001), 'limit is 50000 fields of one object'],
  ['more fields than a body may have', cbor.encodeUnstructured({ l: JSON.parse(objects(75_001)) as unknown[] }), 'limit is 150000 fields'],
  ['as many items as a body may have', cbor.encodeUnstructured({ l: Array.from({ length: 300_000 }, () => 1) }), undefined],
  ['more items than a body may have', cbor.encodeUnstructured({ l: Array.from({ length: 300_001 }, () => 1) }), 'limit is 300000 items'],
  [
    'lists in lists, deeper than any may be',
    Buffer.concat([Buffer.alloc(20_000, 0x81), Buffer.of(0xbf), Buffer.alloc(200_000, 0x01), Buffer.alloc(100_000, 0xff)]),
    undefined,
  ],
  ['what is no CBOR', Buffer.alloc(300_000, 0xff), undefined],
  ['a length that is not there', Buffer.concat([Buffer.of(0xbb, 255, 255, 255, 255, 255, 255, 255, 255), Buffer.alloc(60_000)]), undefined],
] as const) {
  test(`CBOR with ${what}: ${message === undefined ? 'is left to the decoder' : 'is refused'}`, () => {
    if (message === undefined) return checkCborAmount(body);
    assert.throws(
      () => checkCborAmount(body),
      (error) => error instanceof ApiError && error.status.code === 413 && error.status.message!.endsWith(message),
    );
  });
}

const map = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'a']));

for (const isTyped of [true, false]) {
  test(`an object may be filled as far as a body may, whoever owns the fields${isTyped ? '' : ', and a custom one has any number of items'}`, () => {
    const managedFields = [{ fieldsV1: { 'f:data': { '.': {}, ...map(50_000) } } }];
    const list = Array.from({ length: isTyped ? 30_000 : 200_000 }, () => 'a');
    const objects = Array.from({ length: isTyped ? 20_000 : 50_000 }, () => ({}));
    checkObjectAmount({ metadata: { managedFields }, data: map(50_000), list, objects }, isTyped);
    checkObjectAmount([], isTyped);
    checkObjectAmount({ metadata: { finalizers: many(60_000, String) } }, isTyped);
  });

  test(`more fields than a body may hold are refused wherever they are${isTyped ? '' : ', of a custom object too'}`, () => {
    for (const made of [{ data: map(50_001) }, { metadata: { labels: map(50_001) } }, { spec: { items: [[map(50_001)]] } }]) {
      assert.throws(() => checkObjectAmount(made, isTyped), /limit is [25]0000 fields of one object/);
    }
  });
}

test('a map of a built-in kind that is no data has fewer fields', () => {
  checkObjectAmount({ binaryData: map(50_000), spec: { hard: map(20_000) } }, true);
  assert.throws(() => checkObjectAmount({ spec: { hard: map(20_001) } }, true), /limit is 20000 fields of one object/);
  checkObjectAmount({ spec: { hard: map(20_001) } }, false);
});

test('more items than an object of a built-in kind may have are refused, however they came', () => {
  const list = Array.from({ length: 25_000 }, () => 'a');
  assert.throws(() => checkObjectAmount({ spec: { list, lists: [list] } }, true), /limit is 50000 items/);
  const objects = Array.from({ length: 10_000 }, () => ({}));
  assert.throws(() => checkObjectAmount({ objects, spec: [{ objects }] }, true), /limit is 20000 objects in lists/);
});

const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => item(index));
const address = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
const rbac = 'rbac.authorization.k8s.io';
/** Objects of a megabyte or more, as clusters have them: upstream takes them, and its store does. */
const large: Readonly<Record<string, readonly [path: string, object: object]>> = {
  'a ConfigMap of 30,000 keys': [
    '/api/v1/namespaces/default/configmaps',
    { metadata: { name: 'a' }, data: Object.fromEntries(many(30_000, (index) => [`key-${index}`, `value of some length ${index}`])) },
  ],
  'an EndpointSlice of 1,000 endpoints': [
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    {
      metadata: { name: 'a' },
      addressType: 'IPv4',
      ports: many(100, (index) => ({ name: `p${index}`, port: 1000 + index, protocol: 'TCP' })),
      endpoints: many(1000, (index) => ({
        addresses: [address(index)],
        conditions: { ready: true, serving: true, terminating: false },
        nodeName: `node-${index}`,
        zone: 'zone-a',
        hints: { forZones: [{ name: 'zone-a' }] },
        targetRef: { kind: 'Pod', namespace: 'default', name: `pod-${index}`, uid: `uid-${index}` },
      })),
    },
  ],
  'a RoleBinding of 15,000 subjects': [
    `/apis/${rbac}/v1/namespaces/default/rolebindings`,
    {
      metadata: { name: 'a' },
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'a' },
      subjects: many(15_000, (index) => ({ kind: 'User', apiGroup: rbac, name: `user-${index}@example.com` })),
    },
  ],
  'a Role of 8,000 rules': [
    `/apis/${rbac}/v1/namespaces/default/roles`,
    {
      metadata: { name: 'a' },
      rules: many(8000, (index) => ({
        apiGroups: ['apps'],
        resources: ['deployments'],
        resourceNames: [`name-${index}`],
        verbs: ['get', 'update'],
      })),
    },
  ],
  'a NetworkPolicy of 15,000 blocks and 30,000 exceptions': [
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    {
      metadata: { name: 'a' },
      spec: {
        podSelector: {},
        ingress: [
          {
            from: many(15_000, (index) => ({
              ipBlock: {
                cidr: `10.${index >> 8}.${index & 255}.0/24`,
                except: [`10.${index >> 8}.${index & 255}.7/32`, `10.${index >> 8}.${index & 255}.8/32`],
              },
            })),
          },
        ],
      },
    },
  ],
  'a definition of 15,000 fields': [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'widgets', kind: 'Widget' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties: Object.fromEntries(
                      many(150, (group) => [
                        `group${group}`,
                        {
                          type: 'object',
                          properties: Object.fromEntries(
                            many(100, (index) => [
                              `field${index}`,
                              { type: 'string', description: 'What this field is for, in a sentence.' },
                            ]),
                          ),
                        },
                      ]),
                    ),
                  },
                },
              },
            },
          },
        ],
      },
    },
  ],
};

test('objects of a megabyte as clusters have them are taken', async (t) => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  for (const [what, [path, body]] of Object.entries(large)) {
    await t.test(what, async () => {
      const answer = await client.call('POST', path, { body });
      assert.equal(answer.status, 201, answer.text.slice(0, 300));
    });
  }
});
