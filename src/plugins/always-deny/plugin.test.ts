import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const namespaces = '/api/v1/namespaces';
const fallback = { metadata: { name: 'default' } };

const writes: readonly (readonly [what: string, method: string, path: string, body: object | undefined, about: string])[] = [
  ['a create', 'POST', namespaces, { metadata: { name: 'x' } }, 'namespaces "x"'],
  ['a dry run', 'POST', `${namespaces}?dryRun=All`, { metadata: { name: 'x' } }, 'namespaces "x"'],
  ['an update', 'PUT', `${namespaces}/default`, fallback, 'namespaces "default"'],
  ['an update of the status', 'PUT', `${namespaces}/default/status`, fallback, 'namespaces "default"'],
  ['a delete', 'DELETE', `${namespaces}/default`, undefined, 'namespaces "default"'],
  [
    'an access review',
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
    'selfsubjectaccessreviews.authorization.k8s.io "Unknown"',
  ],
  ['a connection', 'GET', `${namespaces}/default/pods/p/exec?command=ls&stdout=true`, undefined, 'pods "p"'],
];

describe('AlwaysDeny', () => {
  // A cluster that has all it begins with: what the server writes by itself is refused too.
  const server = admissionServer({ plugins: ['AlwaysDeny'], after: admissionServer({ plugins: [] }) });

  for (const [what, method, path, body, about] of writes) {
    test(`${what} is refused`, async () => {
      const { status, message } = await server.send(method, path, body);
      assert.deepEqual([status, message], [403, `${about} is forbidden: admission control is denying all modifications`]);
    });
  }

  test('a patch is refused', async () => {
    const { status, message } = await server.patch(`${namespaces}/default`, { metadata: { labels: { a: 'b' } } });
    assert.deepEqual([status, message], [403, 'namespaces "default" is forbidden: admission control is denying all modifications']);
  });

  test('reads are no modifications', async () => {
    assert.equal((await server.read(`${namespaces}/default`)).metadata.name, 'default');
  });
});
