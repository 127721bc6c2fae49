import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCodecs } from './create-codecs.ts';
import type { StorageMediaType } from './storage-format.ts';
import { storageFormat } from './storage-format.ts';
import { TypedRepresentation } from './typed-representation.ts';

const codecs = createCodecs();
const storage = new TypedRepresentation({ group: 'apps', version: 'v1', kind: 'ControllerRevision' }, codecs);

for (const mediaType of ['application/json', 'application/vnd.kubernetes.protobuf'] satisfies StorageMediaType[]) {
  test(`${mediaType} keeps integers beyond 2^53`, async () => {
    const format = storageFormat({ codecs, storage, mediaType, toStorage: (object) => object });
    const text =
      '{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{"name":"r"},"data":{"n":9223372036854775807},"revision":9007199254740993}';
    const kept = await format.toStorage(Buffer.from(text), 'key');
    assert.equal((await format.fromStorage(kept, 'key')).value.toString(), text);
  });
}
