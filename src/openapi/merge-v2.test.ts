import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentPart } from './gnostic/document-tables.ts';
import type { Lookup, MergeableV2 } from './merge-v2.ts';
import { filterPaths, mergedPart } from './merge-v2.ts';

type Table = Record<string, object>;

/** The document with what the other one adds to it. */
function merge(document: DocumentPart, other: MergeableV2): { paths: Table; definitions: Table; parameters: Table } {
  const lookup = (table: Readonly<Table> = {}): Lookup => ({ has: (name) => Object.hasOwn(table, name), get: (name) => table[name] });
  const { paths, definitions, parameters } = document;
  const added = mergedPart({ paths: lookup(paths), definitions: lookup(definitions), parameters: lookup(parameters) }, other) ?? {};
  return {
    paths: { ...paths, ...added.paths },
    definitions: { ...definitions, ...added.definitions },
    parameters: { ...parameters, ...added.parameters },
  };
}

const using = (name: string): object => ({ get: { responses: { 200: { schema: { $ref: `#/definitions/${name}` } } } } });
const kinds = (...names: string[]): object => ({
  'x-kubernetes-group-version-kind': names.map((kind) => ({ group: '', version: 'v1', kind })),
});

test('filterPaths() drops definitions that only dropped paths used, through others too, and keeps what nobody ever used', () => {
  const document = {
    paths: { '/a/x': using('A'), '/b/x': using('B') },
    definitions: { A: {}, B: { properties: { c: { $ref: '#/definitions/C' } } }, C: {}, Unused: {} },
  };
  assert.deepEqual(
    filterPaths(document, (path) => path.startsWith('/a/')),
    { paths: { '/a/x': using('A') }, definitions: { A: {}, Unused: {} } },
  );
});

test('mergedPart() keeps paths that are there, with all they need', () => {
  const own = { paths: { '/a': using('A') }, definitions: { A: { type: 'object' } } };
  assert.deepEqual(merge(own, { paths: { '/a': using('Other') }, definitions: { Other: {} } }), { ...own, parameters: {} });
  assert.deepEqual(merge(own, { paths: { '/a': using('Other'), '/b': using('B') }, definitions: { Other: {}, B: {} } }), {
    paths: { '/a': using('A'), '/b': using('B') },
    definitions: { A: { type: 'object' }, B: {} },
    parameters: {},
  });
});

test('mergedPart() gives another name to a definition that means something else, and the same one again to the same', () => {
  const own = { paths: { '/a': using('A') }, definitions: { A: { type: 'object' } } };
  const first = merge(own, { paths: { '/b': using('A') }, definitions: { A: { type: 'string' } } });
  assert.deepEqual(first.paths, { '/a': using('A'), '/b': using('A_v2') });
  const second = merge(first, { paths: { '/c': using('A') }, definitions: { A: { type: 'string' } } });
  assert.deepEqual(second.definitions, { A: { type: 'object' }, A_v2: { type: 'string' } });
  assert.deepEqual(second.paths['/c'], using('A_v2'));
  const third = merge(second, { paths: { '/d': using('A') }, definitions: { A: { type: 'number' } } });
  assert.deepEqual(Object.keys(third.definitions), ['A', 'A_v2', 'A_v3']);
});

test('mergedPart() gives another name to a parameter that means something else', () => {
  const at = (name: string): object => ({ parameters: [{ $ref: `#/parameters/${name}` }] });
  const merged = merge(
    { paths: { '/a': at('p') }, parameters: { p: { in: 'query' } } },
    { paths: { '/b': at('p') }, parameters: { p: { in: 'path' } } },
  );
  assert.deepEqual(merged.parameters, { p: { in: 'query' }, p_v2: { in: 'path' } });
  assert.deepEqual(merged.paths, { '/a': at('p'), '/b': at('p_v2') });
});

test('mergedPart() lets a type that both have stand for the kinds of both', () => {
  const own = { paths: { '/a': using('Status') }, definitions: { Status: { type: 'object', ...kinds('B') } } };
  const merged = merge(own, { paths: { '/b': using('Status') }, definitions: { Status: { type: 'object', ...kinds('B', 'A') } } });
  assert.deepEqual(merged.definitions, { Status: { type: 'object', ...kinds('A', 'B') } });
});
