import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from './field.ts';
import type { FieldError } from './field.ts';
import { nameIsDnsSubdomain } from './names.ts';
import { controllerOf } from './object-meta.ts';
import type { ObjectMeta } from './object-meta.ts';
import { validateFieldManager, validateObjectMeta, validateObjectMetaUpdate } from './object-meta-validation.ts';

const path = FieldPath.root('metadata');
const shown = (errors: readonly FieldError[]): string[] => errors.map(String);
const create = (meta: ObjectMeta, namespaced = true): string[] => shown(validateObjectMeta(meta, namespaced, nameIsDnsSubdomain, path));
const update = (meta: ObjectMeta, old: ObjectMeta): string[] => shown(validateObjectMetaUpdate(meta, old, path));
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };

test('validateObjectMeta() checks name and namespace', () => {
  assert.deepEqual(create({ name: 'a', namespace: 'b' }), []);
  assert.deepEqual(create({}), ['metadata.name: Required value: name or generateName is required', 'metadata.namespace: Required value']);
  assert.deepEqual(create({ name: 'a', namespace: 'b' }, false), ['metadata.namespace: Forbidden: not allowed on this type']);
  assert.match(create({ name: 'A', namespace: 'b' })[0]!, /^metadata\.name: Invalid value: "A": a lowercase RFC 1123 subdomain must/);
  assert.deepEqual(create({ name: 'a', namespace: 'b', generation: -1 }), [
    'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
  ]);
});

test('validateObjectMeta() checks annotations without regard to case and limits their size', () => {
  assert.deepEqual(create({ name: 'a', namespace: 'b', annotations: { 'Example.COM/X': '' } }), []);
  assert.deepEqual(create({ name: 'a', namespace: 'b', annotations: { a: 'x'.repeat(256 * 1024) } }), [
    'metadata.annotations: Too long: may not be more than 262144 bytes',
  ]);
});

test('validateObjectMeta() checks owner references', () => {
  const references = (ownerReferences: ObjectMeta['ownerReferences']): string[] =>
    create({ name: 'a', namespace: 'b', ownerReferences: ownerReferences! });
  assert.deepEqual(references([{ apiVersion: '', kind: '', name: '', uid: '' }]), [
    'metadata.ownerReferences[0].apiVersion: Required value: must not be empty',
    'metadata.ownerReferences[0].kind: Required value: must not be empty',
    'metadata.ownerReferences[0].name: Required value: must not be empty',
    'metadata.ownerReferences[0].uid: Required value: must not be empty',
  ]);
  assert.deepEqual(references([{ ...owner, apiVersion: 'a/b/c' }]), [
    'metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>',
  ]);
  assert.deepEqual(references([{ ...owner, kind: 'Event' }]), [
    'metadata.ownerReferences[0]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"p","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
  ]);
  const controllers = [
    { ...owner, controller: true },
    { ...owner, name: 'q', controller: true },
  ];
  assert.deepEqual(references(controllers), [
    'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u","controller":true},{"apiVersion":"v1","kind":"Pod","name":"q","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/p and Pod/q',
  ]);
  assert.equal(controllerOf({ ownerReferences: [owner, ...controllers] })?.name, 'p');
});

test('validateObjectMeta() checks finalizers and managed fields', () => {
  assert.deepEqual(create({ name: 'a', namespace: 'b', finalizers: ['orphan', 'foregroundDeletion'] }), [
    'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  ]);
  const entry = JSON.parse('{"operation":"Other","fieldsType":"V2","manager":"a\\u0007"}') as NonNullable<
    ObjectMeta['managedFields']
  >[number];
  assert.deepEqual(create({ name: 'a', namespace: 'b', managedFields: [entry, {}] }), [
    'metadata.managedFields[0].operation: Unsupported value: "Other": supported values: "Apply", "Update"',
    'metadata.managedFields[0].fieldsType: Invalid value: "V2": must be `FieldsV1`',
    'metadata.managedFields[0].manager: Invalid value: "a\\a": invalid character U+0007 (at position 1)',
    'metadata.managedFields[1].operation: Required value: must not be empty',
  ]);
});

test('validateFieldManager() counts positions in bytes', () => {
  assert.deepEqual(shown(validateFieldManager('é\u200b', path)), [
    'metadata: Invalid value: "é\\u200b": invalid character U+200B (at position 2)',
  ]);
  assert.deepEqual(shown(validateFieldManager('a'.repeat(129), path)), ['metadata: Too long: may not be more than 128 bytes']);
});

test('validateObjectMetaUpdate() keeps what must not change', () => {
  const old: ObjectMeta = {
    name: 'a',
    namespace: 'b',
    uid: 'u',
    resourceVersion: '1',
    generation: 2,
    creationTimestamp: '2020-01-01T00:00:00Z',
  };
  assert.deepEqual(update(old, old), []);
  assert.deepEqual(update({ name: 'c', namespace: 'b', generation: 1 }, old), [
    'metadata.resourceVersion: Invalid value: "": must be specified for an update',
    'metadata.generation: Invalid value: 1: must not be decremented',
    'metadata.name: Invalid value: "c": field is immutable',
    'metadata.uid: Invalid value: "": field is immutable',
    'metadata.creationTimestamp: Invalid value: null: field is immutable',
  ]);
  const deleted: ObjectMeta = { ...old, deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 0, finalizers: ['a/x'] };
  assert.deepEqual(update({ ...deleted, finalizers: ['b/z', 'a/y'] }, deleted), [
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/y", "b/z"}',
  ]);
  assert.deepEqual(update(old, deleted), [
    'metadata.deletionTimestamp: Invalid value: null: field is immutable',
    'metadata.deletionGracePeriodSeconds: Invalid value: null: field is immutable',
  ]);
});
