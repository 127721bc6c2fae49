import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApiServer } from '../index.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import type { Operation, Storage } from '../storage/storage.ts';
import { ValueTooLargeError } from '../storage/storage.ts';
import { RawClient } from '../../test/support/raw-client.ts';

const limit = 40_000;
const configMaps = '/api/v1/namespaces/default/configmaps';

/** A store that takes values up to a size, as etcd does. */
function limited(storage: Storage): Storage {
  const transact: Storage['transact'] = (operations: readonly Operation[], options) => {
    const isLarge = operations.some((operation) => operation.type === 'put' && operation.value.length > limit);
    return isLarge ? Promise.reject(new ValueTooLargeError('etcdserver: request is too large')) : storage.transact(operations, options);
  };
  return new Proxy(storage, {
    get(target, name) {
      const value = name === 'transact' ? transact : (Reflect.get(target, name, target) as unknown);
      return typeof value === 'function' && name !== 'transact' ? (value.bind(target) as unknown) : value;
    },
  });
}

test('an object that is too large for its store is stored without its owners, if that helps', { timeout: 30_000 }, async () => {
  await using storage = createMemoryStorage();
  await using server = await startApiServer({ storage: limited(storage), controllers: false });
  await using client = new RawClient(server);
  const data = Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`key-${index}-${'x'.repeat(20)}`, '']));
  const send = (method: string, path: string, body: object, type = 'application/json') =>
    client.call(method, path, { body, headers: { 'content-type': type } });

  const created = await send('POST', configMaps, { metadata: { name: 'a' }, data });
  assert.equal(created.status, 201, created.text);
  assert.ok(!created.text.includes('managedFields'));
  await send('POST', configMaps, { metadata: { name: 'b' } });
  const patched = await send('PATCH', `${configMaps}/b`, { data }, 'application/merge-patch+json');
  assert.equal(patched.status, 200, patched.text);
  assert.ok(!patched.text.includes('managedFields'));

  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data };
  const applied = await send('PATCH', `${configMaps}/c?fieldManager=m`, object, 'application/apply-patch+yaml');
  const refused = await send('POST', configMaps, { metadata: { name: 'd' }, data: { a: 'x'.repeat(limit) } });
  for (const { status, text } of [applied, refused]) {
    assert.equal(status, 500);
    assert.equal((JSON.parse(text) as { message: string }).message, 'etcdserver: request is too large');
  }
});
