import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDefaults } from './defaulting.ts';
import { asResourceRoot, schemaNode } from './node.ts';
import { prune, pruneNulls } from './pruning.ts';

const root = asResourceRoot(
  schemaNode({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
          map: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string', default: 'd' } } } },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'object', properties: {} } } },
          nullable: { type: 'string', nullable: true },
          solid: { type: 'string' },
          filled: { type: 'string', default: 'd' },
        },
      },
    },
  }),
);

test('pruning removes what is not specified and tells where it was', () => {
  const object = {
    kind: 'Widget',
    metadata: { anything: 1 },
    spec: { list: [{ a: 'x', b: 1 }], map: { k: { a: 'x', z: 1 } }, free: { x: 1, a: { y: 1 } }, more: {} },
    status: {},
  };
  assert.deepEqual(prune(object, root, true), ['spec.free.a.y', 'spec.list[0].b', 'spec.map.k.z', 'spec.more', 'status']);
  assert.deepEqual(object, {
    kind: 'Widget',
    metadata: { anything: 1 },
    spec: { list: [{ a: 'x' }], map: { k: { a: 'x' } }, free: { x: 1, a: {} } },
  });
});

test('nulls stay where they are allowed or a default takes their place', () => {
  const object = { spec: { nullable: null, solid: null, filled: null, map: { k: { a: null } } } };
  pruneNulls(object, root);
  applyDefaults(object, root);
  assert.deepEqual(object, { spec: { nullable: null, filled: 'd', map: { k: { a: 'd' } } } });
});
