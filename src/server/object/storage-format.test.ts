import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLine } from './json-line.ts';
import { createCodecs } from './create-codecs.ts';
import type { StorageMediaType } from './storage-format.ts';
import { storageFormat } from './storage-format.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import { WrittenObjects } from './written-objects.ts';
import { BuiltInVersionedKind } from './built-in-versioned-kind.ts';

const codecs = createCodecs();
const storage = new BuiltInVersionedKind({ group: 'apps', version: 'v1', kind: 'ControllerRevision' }, codecs);

for (const mediaType of ['application/json', 'application/vnd.kubernetes.protobuf'] satisfies StorageMediaType[]) {
  test(`${mediaType} keeps integers beyond 2^53`, async () => {
    const format = storageFormat({ codecs, storage, mediaType, toStorage: (object) => object });
    const text =
      '{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{"name":"r"},"data":{"n":9223372036854775807},"revision":9007199254740993}';
    const kept = await format.toStorage(Buffer.from(text), 'key');
    assert.equal((await format.fromStorage(kept, 'key')).value.toString(), text);
  });
}

test('a value that is about to be written is encoded from what it was made of, which is as if it had been parsed', async () => {
  const pods = new BuiltInVersionedKind({ group: '', version: 'v1', kind: 'Pod' }, codecs);
  const managedFields = [{ manager: 'm', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:a<b': {}, '.': {} } } }];
  const object = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p', labels: { b: '<&>', a: '\u2028 ü' }, finalizers: [], managedFields },
    spec: {
      containers: [{ name: 'c', env: [{ name: 'E', value: '' }], resources: {} }],
      volumes: [{ name: 'v', emptyDir: {} }],
      priority: 0,
    },
    status: {},
  };
  const written = new WrittenObjects();
  const options = { codecs, storage: pods, mediaType: 'application/vnd.kubernetes.protobuf' as const, toStorage: (one: KubeObject) => one };
  const value = pods.encodeStored(object, written);
  const parsed = await storageFormat(options).toStorage(value, 'key');
  const format = storageFormat({ ...options, written });
  // Changes that come after do not count.
  object.metadata.name = 'other';
  assert.deepEqual(await format.toStorage(value, 'key'), parsed);
  assert.equal(written.take(value), undefined, 'it is held for as long as the value is');
  assert.deepEqual(await format.toStorage(value, 'key'), parsed);
});

test('JSON that somebody else wrote is read as its type, whatever it leaves out, and kept in the version that is asked for', async () => {
  const definitions = new BuiltInVersionedKind({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }, codecs);
  const beta = new BuiltInVersionedKind({ group: 'apiextensions.k8s.io', version: 'v1beta1', kind: 'CustomResourceDefinition' }, codecs);
  const format = storageFormat({
    codecs,
    storage: definitions,
    mediaType: 'application/vnd.kubernetes.protobuf',
    toStorage: (object) => object,
    asJson: { versionedKind: beta, fromHub: (object) => ({ ...object, apiVersion: beta.apiVersion }) },
  });
  const spec = '{"group":"example.com","names":{"plural":"widgets","kind":"Widget"},"scope":"Namespaced"}';
  const stored = `{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1beta1","metadata":{"name":"w"},"spec":${spec}}`;
  const { value, stale } = await format.fromStorage(Buffer.from(stored), 'key');
  assert.equal(stale, false);
  assert.ok(value.toString().endsWith('"status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}}'));
  const kept = (await format.toStorage(value, 'key')).toString();
  assert.ok(kept.startsWith('{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1beta1",'), kept);
  assert.ok(kept.endsWith('}\n'));
});

test('lines of JSON lose their end on the way in and get it back', () => {
  assert.deepEqual(jsonLine.toStorage(Buffer.from('{}'), 'key'), Buffer.from('{}\n'));
  assert.deepEqual(jsonLine.fromStorage(Buffer.from('{}\n'), 'key'), { value: Buffer.from('{}'), stale: false });
  assert.deepEqual(jsonLine.fromStorage(Buffer.from('{}'), 'key'), { value: Buffer.from('{}'), stale: true });
});
