import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { startApiServer } from '../index.ts';

const path = '/api/v1/namespaces/default/configmaps';

function configuration(...names: readonly string[]): string {
  const keys = names.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') }));
  const resources = [{ resources: ['configmaps'], providers: [{ aesgcm: { keys } }] }];
  return JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources });
}

test('an object whose key is taken away cannot be read any more, though it is in the cache, until the key is back', async () => {
  await using owned = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'encryption-reload-'));
  owned.defer(() => rm(folder, { recursive: true }));
  const file = join(folder, 'encryption.json');
  writeFileSync(file, configuration('a'));
  const server = await startApiServer({ storage: { backend: 'memory', encryption: { file, reload: true } }, controllers: false });
  owned.defer(() => server.stop());
  const client = owned.use(new RawClient(server));
  const statusOf = async (method: string, at: string): Promise<number> => (await client.call(method, at)).status;
  assert.equal((await client.call('POST', path, { body: { metadata: { name: 'old' } } })).status, 201);
  assert.equal(await statusOf('GET', `${path}/old`), 200);
  writeFileSync(file, configuration('b'));
  const broken = await eventually('the key is gone', async () => {
    const answer = await client.call('GET', `${path}/old`);
    return answer.status === 500 ? answer : undefined;
  });
  const { message } = JSON.parse(broken.text) as { message: string };
  assert.match(
    message,
    /^Internal error occurred: StorageError: corrupt object, .*: data from the storage is not transformable revision=0: /,
  );
  assert.equal(await statusOf('GET', `${path}/old?resourceVersion=0`), 200, 'what the cache may be asked for, it has');
  assert.equal(await statusOf('DELETE', `${path}/old`), 500);
  assert.equal((await client.call('POST', path, { body: { metadata: { name: 'new' } } })).status, 201);
  assert.equal(await statusOf('GET', `${path}/new`), 200);
  writeFileSync(file, configuration('b', 'a'));
  await eventually('the key is back', async () => ((await statusOf('GET', `${path}/old`)) === 200 ? 'back' : undefined));
  assert.equal(await statusOf('DELETE', `${path}/old`), 200);
});
