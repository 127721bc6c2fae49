import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectMeta } from '../machinery/object-meta.ts';
import type { Column } from './column.ts';
import { nameColumn } from './common-columns.ts';
import { docOf } from './described.ts';
import { clockAt } from './table-clock.ts';
import type { TableRequest } from './table.ts';
import { tableOf } from './table.ts';

interface Thing {
  metadata: ObjectMeta;
  size: number;
}

const size: Column<Thing> = { name: 'Size', type: 'integer', description: docOf('Thing', 'size'), cell: ({ size: cell }) => cell };
const request = (changes: Partial<TableRequest<Thing>>): TableRequest<Thing> => ({
  columns: [size],
  objects: [{ metadata: { name: 'a' }, size: 1 }],
  listMeta: {},
  metaVersion: 'v1',
  includeObject: '',
  noHeaders: false,
  clock: clockAt(0),
  ...changes,
});
const names = (changes: Partial<TableRequest<Thing>>): string[] | undefined =>
  tableOf(request(changes)).columnDefinitions?.map(({ name }) => name);

test('the name comes first, unless a kind has placed it', () => {
  assert.deepEqual(names({}), ['Name', 'Size']);
  assert.deepEqual(names({ columns: [size, { ...nameColumn, priority: 1 }] }), ['Size', 'Name']);
  assert.deepEqual(names({ columns: undefined }), ['Name', 'Created At']);
});

test('a column takes the words of a field from whoever supplies them', () => {
  const described = (changes: Partial<TableRequest<Thing>>): string | undefined =>
    tableOf(request(changes)).columnDefinitions?.[1]?.description;
  assert.equal(described({ descriptions: { ofField: (type, field) => `${type}.${field}` } }), 'Thing.size');
  assert.equal(described({}), '');
});

test('cells may come from another version than the one shown', () => {
  const [row] = tableOf(request({ includeObject: 'Object', cellSource: (thing) => ({ ...thing, size: 7 }) })).rows ?? [];
  assert.deepEqual(row?.cells, ['a', 7]);
  assert.deepEqual(row?.object, { metadata: { name: 'a' }, size: 1 });
});

test('later events of a watch repeat no headers', () => assert.equal(tableOf(request({ noHeaders: true })).columnDefinitions, null));
