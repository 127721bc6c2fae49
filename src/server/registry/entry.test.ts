import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldTexts } from '../../machinery/codec/json/field-texts.ts';
import { locate } from '../object/stored-json.ts';
import { StoredEntry } from './entry.ts';

const head = Buffer.from('{"kind":"Pod","apiVersion":"v1",');

function entryOf(body: object, revision = 7): StoredEntry {
  const value = Buffer.from(`${head.toString()}${JSON.stringify(body).slice(1)}`);
  return new StoredEntry('/registry/pods/a', revision, undefined, {}, value, locate(value, head, false));
}

const owners = [
  { manager: 'a', fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:ä': {} } } } },
  { manager: 'b', fieldsV1: {} },
  { manager: 'c' },
];

test('parseSharing() gives what the text says, and shares what managers own', () => {
  const known = new FieldTexts();
  const entry = entryOf({ metadata: { name: 'a', labels: { ä: 'ü' }, managedFields: owners }, spec: { x: 1 } });
  const [first, second] = [entry.parseSharing(known), entry.parseSharing(known)];
  assert.deepEqual(first, JSON.parse(entry.text()));
  assert.equal(first?.metadata.resourceVersion, '7');
  assert.equal(first?.metadata.managedFields?.[0]?.fieldsV1, second?.metadata.managedFields?.[0]?.fieldsV1);
  assert.notEqual(first?.metadata.managedFields, second?.metadata.managedFields);
});

test('parseSharing() of an object that has no managers leaves those of its template alone', () => {
  const template = { metadata: { managedFields: owners } };
  assert.equal(entryOf({ metadata: { name: 'a' }, spec: { template } }).parseSharing(new FieldTexts()), undefined);
  const both = entryOf({ metadata: { name: 'a', managedFields: [{ manager: 'c' }] }, spec: { template } });
  assert.equal(both.parseSharing(new FieldTexts()), undefined);
});

test('an entry of a note shows what the entry showed that it is of', () => {
  const { key, value } = entryOf({ metadata: { name: 'a', labels: { app: 'ä' } }, spec: { nodeName: 'n' } });
  const layout = locate(value, head, false);
  const entry = new StoredEntry(key, 7, { app: 'ä' }, { 'metadata.name': 'a', 'spec.nodeName': 'n' }, value, layout, true, true);
  const copy = Buffer.from(value);
  const read = StoredEntry.ofNote(key, copy, entry.note());
  assert.deepEqual([read.labels, read.fields, read.isVetted], [entry.labels, entry.fields, true]);
  assert.deepEqual([read.revision, read.stale], [0, false], 'which depend on when it is read');
  assert.equal(read.at(7).text(), entry.text());
  assert.equal(read.value, copy);
  assert.equal(StoredEntry.ofNote(key, copy, entryOf({ metadata: {} }).note()).labels, undefined);
});
