import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../machinery/errors.ts';
import { createSchema } from '../../schema/index.ts';
import type { JsonObject } from '../json/json-object.ts';
import { orderAfterMerge } from './element-order.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const type = createSchema().typeOf({ group: 'apps', version: 'v1', kind: 'Deployment' })!;

/** The pod spec of a Deployment, patched. */
function patchPod(spec: JsonObject, patch: JsonObject): unknown {
  const object = { spec: { template: { spec } } };
  const before = JSON.stringify(object);
  const { value } = applyStrategicMergePatch(object, { spec: { template: { spec: patch } } }, type);
  assert.equal(JSON.stringify(object), before, 'the document is left alone');
  return (value as typeof object).spec.template.spec;
}

const containers = (...names: string[]) => names.map((name) => ({ name, image: 'i' }));

const pods: readonly { name: string; spec: JsonObject; patch: JsonObject; expected: JsonObject }[] = [
  {
    name: 'a list with a merge key merges item by item, new items before what follows',
    spec: { containers: containers('a', 'b') },
    patch: {
      containers: [
        { name: 'c', image: 'n' },
        { name: 'b', image: 'n' },
      ],
    },
    expected: {
      containers: [
        { name: 'c', image: 'n' },
        { name: 'a', image: 'i' },
        { name: 'b', image: 'n' },
      ],
    },
  },
  {
    name: '$patch: delete removes the item with the key',
    spec: { containers: containers('a', 'b') },
    patch: { containers: [{ name: 'a', $patch: 'delete' }] },
    expected: { containers: containers('b') },
  },
  {
    name: '$patch: replace replaces the list',
    spec: { containers: containers('a', 'b') },
    patch: { containers: [{ name: 'c' }, { $patch: 'replace' }] },
    expected: { containers: [{ name: 'c' }] },
  },
  {
    name: '$patch: replace replaces the map',
    spec: { nodeSelector: { a: '1', b: '2' } },
    patch: { nodeSelector: { $patch: 'replace', c: '3' } },
    expected: { nodeSelector: { c: '3' } },
  },
  {
    name: '$patch: delete empties the map',
    spec: { nodeSelector: { a: '1' } },
    patch: { nodeSelector: { $patch: 'delete' } },
    expected: { nodeSelector: {} },
  },
  {
    name: 'null deletes, and is not kept in something new',
    spec: { nodeSelector: { a: '1', b: '2' } },
    patch: { nodeSelector: { a: null }, securityContext: { runAsUser: 1, runAsGroup: null } },
    expected: { nodeSelector: { b: '2' }, securityContext: { runAsUser: 1 } },
  },
  {
    name: 'a list without a strategy is replaced',
    spec: { tolerations: [{ key: 'a' }] },
    patch: { tolerations: [{ key: 'b' }] },
    expected: { tolerations: [{ key: 'b' }] },
  },
  {
    name: '$setElementOrder orders the merged list',
    spec: { containers: containers('a', 'b', 'c') },
    patch: { '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }], containers: [{ name: 'a', image: 'n' }] },
    expected: {
      containers: [
        { name: 'b', image: 'i' },
        { name: 'c', image: 'i' },
        { name: 'a', image: 'n' },
      ],
    },
  },
  {
    name: 'an item that is deleted makes room in the order for one that is new',
    spec: { imagePullSecrets: [{ name: 's3' }, { name: 's2' }] },
    patch: {
      '$setElementOrder/imagePullSecrets': [{ name: 's1' }],
      imagePullSecrets: [{ name: 's3', $patch: 'delete' }, { name: 's1' }],
    },
    expected: { imagePullSecrets: [{ name: 's2' }, { name: 's1' }] },
  },
  {
    name: 'a new item keeps the directives in it',
    spec: { containers: containers('a') },
    patch: { containers: [{ name: 'b', env: null, ports: [{ $patch: 'replace' }] }] },
    expected: {
      containers: [
        { name: 'b', env: null, ports: [{ $patch: 'replace' }] },
        { name: 'a', image: 'i' },
      ],
    },
  },
];

for (const { name, spec, patch, expected } of pods) {
  test(`strategic merge: ${name}`, () => {
    assert.deepEqual(patchPod(spec, patch), expected);
  });
}

test('strategic merge: $retainKeys clears what it does not name', () => {
  const document = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } };
  const { value } = applyStrategicMergePatch(document, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }, type);
  assert.deepEqual(value, { spec: { strategy: { type: 'Recreate' } } });
});

test('strategic merge: primitive lists merge, and $deleteFromPrimitiveList takes from them', () => {
  const document = { metadata: { finalizers: ['a', 'b'] } };
  const patch = {
    metadata: { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c'], '$setElementOrder/finalizers': ['c', 'b'] },
  };
  assert.deepEqual(applyStrategicMergePatch(document, patch, type).value, { metadata: { finalizers: ['c', 'b'] } });
});

test('strategic merge: the patch is quoted without what the merge has used up', () => {
  const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' }, replicas: 1 } };
  assert.equal(
    applyStrategicMergePatch({ spec: { strategy: {} } }, patch, type).patchText(),
    'map[spec:map[replicas:1 strategy:map[type:Recreate]]]',
  );
});

const refused: readonly { spec: JsonObject; patch: JsonObject; message: string; code?: number }[] = [
  {
    spec: { containers: containers('a') },
    patch: { containers: [{ image: 'x' }] },
    message: 'map: map[image:x] does not contain declared merge key: name',
  },
  {
    spec: { containers: [{ name: 'a' }] },
    patch: { containers: ['x'] },
    message: 'list element types are not identical: [[map[name:a]] [x]]',
  },
  {
    spec: { nodeSelector: {} },
    patch: { nodeSelector: { $patch: 'merge', c: 'd' } },
    message: 'unknown patch type: merge in map: map[$patch:merge c:d]',
  },
  { spec: { nodeSelector: {} }, patch: { nodeSelector: { $patch: 1 } }, message: 'unknown patch type: %!s(int64=1) in map: map[$patch:1]' },
  {
    spec: { containers: containers('a') },
    patch: { '$setElementOrder/containers': [{ name: 'c2' }], containers: [{ name: 'c1', image: 'n' }] },
    message: "The order in patch list:\n[map[image:n name:c1]]\n doesn't match $setElementOrder list:\n[map[name:c2]]\n",
  },
  { spec: {}, patch: { $retainKeys: 'type' }, code: 400, message: 'invalid patch format of retainKeys' },
  { spec: {}, patch: { $deleteFromPrimitiveList: ['a'] }, code: 400, message: 'invalid patch format of primitive list' },
  { spec: {}, patch: { $setElementOrder: ['a'] }, code: 400, message: 'invalid patch format of setElementOrder list' },
  {
    spec: { bogus: {} },
    patch: { bogus: {} },
    message: 'unable to find api field in struct PodSpec for the json field "bogus"',
  },
];

for (const { spec, patch, message, code } of refused) {
  test(`strategic merge of ${JSON.stringify(patch)} is refused: ${JSON.stringify(message)}`, () => {
    assert.throws(
      () => patchPod(spec, patch),
      (error: Error) => error.message === message && (error instanceof ApiError ? error.code : undefined) === code,
    );
  });
}

/** As upstream does it: item by item, over the very list. */
function orderItemByItem(live: readonly unknown[], patch: readonly { readonly [name: string]: unknown }[]): unknown[] {
  const slots = [...live] as { k: unknown }[];
  let length = slots.length;
  const find = (key: unknown): number => slots.findIndex((slot, index) => index < length && slot.k === key);
  for (const item of patch.filter((one) => one['$patch'] === 'delete')) {
    for (let index = find(item['k']); index >= 0; index = find(item['k'])) slots.copyWithin(index, index + 1, length--);
  }
  for (const item of patch) {
    if (item['$patch'] !== undefined || find(item['k']) >= 0) continue;
    if (length >= live.length) break;
    slots[length++] = item as { k: unknown };
  }
  return slots;
}

test('the order after a merge is the one that item by item gives', () => {
  let state = 3;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 2000; round++) {
    const live = Array.from({ length: random(8) }, (_, at) => ({ k: random(6), at }));
    const patch = Array.from({ length: random(8) }, () => ({ k: random(8), ...(random(3) === 0 && { $patch: 'delete' }) }));
    assert.deepEqual(orderAfterMerge(live, patch, 'k'), orderItemByItem(live, patch), JSON.stringify({ live, patch }));
  }
});

test('long lists are merged, deleted from and ordered without going through them for each item', { timeout: 30_000 }, () => {
  const managers = Array.from({ length: 40_000 }, (_, index) => ({ apiVersion: 'v1', kind: 'A', name: 'a', uid: `u${index}` }));
  const finalizers = managers.map(({ uid }) => `a.b/${uid}`);
  const document = { metadata: { ownerReferences: managers, finalizers } };
  const patched = (metadata: object): { ownerReferences: unknown[]; finalizers: unknown[] } =>
    (applyStrategicMergePatch(document, { metadata }, type).value as { metadata: { ownerReferences: unknown[]; finalizers: unknown[] } })
      .metadata;
  const added = managers.map(({ uid, ...rest }) => ({ ...rest, uid: `n${uid}` }));
  assert.equal(patched({ ownerReferences: added }).ownerReferences.length, 80_000);
  assert.equal(patched({ ownerReferences: managers.map(({ uid }) => ({ $patch: 'delete', uid })) }).ownerReferences.length, 0);
  assert.equal(patched({ '$deleteFromPrimitiveList/finalizers': finalizers }).finalizers.length, 0);
  const reversed = managers.map(({ uid }) => ({ uid })).reverse();
  assert.deepEqual(patched({ '$setElementOrder/ownerReferences': reversed }).ownerReferences, managers.toReversed());
});
