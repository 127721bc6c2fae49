import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldSetOf } from '../../patch/apply/field-set-of.ts';
import { Shapes } from '../../patch/apply/shape.ts';
import type { StructType } from '../../machinery/type-model.ts';
import { structTypeOf } from './struct-type.ts';

const objectMeta: StructType = { kind: 'struct', name: 'ObjectMeta', fields: [], byName: new Map(), proto: [] };
const text = { type: 'string' };
const port = { type: 'object', properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } } };
const rule = {
  type: 'object',
  properties: {
    name: text,
    ports: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'], items: port },
  },
};
const schema = {
  type: 'object',
  properties: {
    rules: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: rule },
    groups: { type: 'object', additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'set', items: text } },
    zones: { type: 'object', additionalProperties: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text } },
  },
};

test('lists and maps inside items and values are owned by their own list and map types', () => {
  const shape = new Shapes().of(structTypeOf('Gadget', schema as never, false, objectMeta));
  const owned = fieldSetOf(shape, {
    rules: [{ name: 'one', ports: [{ port: 80 }] }],
    groups: { g: ['x'] },
    zones: { z: { a: 'b' } },
  });
  assert.deepEqual(owned, {
    'f:groups': { 'f:g': { '.': {}, 'v:"x"': {} } },
    'f:rules': {
      'k:{"name":"one"}': { '.': {}, 'f:name': {}, 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } },
    },
    'f:zones': { 'f:z': {} },
  });
});
