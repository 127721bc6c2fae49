import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const namespaces = '/api/v1/namespaces';
const old = `${namespaces}/gone/configmaps/old`;

describe('NamespaceExists', () => {
  const server = admissionServer({ plugins: ['NamespaceExists'], objects: [[namespaces, { metadata: { name: 'present' } }]] });

  /** A namespace that goes at once leaves behind what was in it. */
  before(async () => {
    await server.given(namespaces, { metadata: { name: 'gone' } });
    await server.given(`${namespaces}/gone/configmaps`, { metadata: { name: 'old' } });
    await server.remove(`${namespaces}/gone`);
    await server.update(`${namespaces}/gone/finalize`, { metadata: { name: 'gone' }, spec: { finalizers: [] } });
  });

  const requests: readonly (readonly [what: string, request: (namespace: string) => ReturnType<typeof server.send>])[] = [
    ['created', (namespace) => server.tryCreate(`${namespaces}/${namespace}/configmaps`, { metadata: { name: 'x' } })],
    ['changed', () => server.patch(old, { data: { a: 'b' } })],
    ['deleted', () => server.remove(old)],
  ];
  for (const [what, request] of requests) {
    test(`nothing is ${what} in a namespace that is not there`, async () => {
      const { status, message } = await request('gone');
      assert.deepEqual([status, message], [404, 'namespaces "gone" not found']);
    });
  }

  test('in one that is, everything is', async () => {
    const path = `${namespaces}/present/configmaps`;
    await server.given(path, { metadata: { name: 'x' } });
    assert.equal((await server.patch(`${path}/x`, { data: { a: 'b' } })).status, 200);
    assert.equal((await server.remove(`${path}/x`)).status, 200);
  });

  test('namespaces themselves and what is in none of them are not looked at', async () => {
    assert.equal((await server.create(namespaces, { metadata: { name: 'new' } })).status, 201);
    assert.equal((await server.create('/api/v1/nodes', { metadata: { name: 'n' } })).status, 201);
  });
});
