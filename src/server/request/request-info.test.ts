import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestInfo } from './request-info.ts';

const cases: readonly (readonly [request: string, expected: string])[] = [
  ['GET /api/v1/namespaces/n/pods', 'list v1 pods in n'],
  ['GET /api/v1/namespaces/n/pods?watch=1', 'watch v1 pods in n'],
  ['GET /api/v1/namespaces/n/pods?watch=false', 'list v1 pods in n'],
  ['GET /api/v1/watch/namespaces/n/pods/p', 'watch v1 pods in n named p'],
  ['GET /api/v1/namespaces/n/pods?fieldSelector=metadata.name%3Dp', 'list v1 pods in n named p'],
  ['GET /api/v1/namespaces/n/pods/p', 'get v1 pods in n named p'],
  ['HEAD /api/v1/namespaces/n/pods/p', 'get v1 pods in n named p'],
  ['POST /api/v1/namespaces/n/pods/p/eviction', 'create v1 pods/eviction in n named p'],
  ['PUT /apis/apps/v1/namespaces/n/deployments/d/scale', 'update apps/v1 deployments/scale in n named d'],
  ['PATCH /api/v1/nodes/x', 'patch v1 nodes named x'],
  ['DELETE /api/v1/namespaces/n/pods', 'deletecollection v1 pods in n'],
  ['DELETE /api/v1/namespaces/n/pods/p', 'delete v1 pods in n named p'],
  ['GET /api/v1/namespaces', 'list v1 namespaces'],
  ['GET /api/v1/namespaces/n', 'get v1 namespaces in n named n'],
  ['PUT /api/v1/namespaces/n/finalize', 'update v1 namespaces/finalize in n named n'],
  ['GET /apis/e.com/v1/widgets', 'list e.com/v1 widgets'],
  ['GET /api/v1/nodes/x/proxy/a/b', 'get v1 nodes/proxy named x'],
  ['GET /apis/apps/v1', 'get /apis/apps/v1'],
  ['GET /version', 'get /version'],
];

function describe(request: string): string {
  const [method = '', target = ''] = request.split(' ');
  const [path = '', query = ''] = target.split('?');
  const info = requestInfo(method, path, query);
  assert.ok(info !== undefined);
  if (!info.isResource) return `${info.verb} ${info.path}`;
  const groupVersion = info.group === '' ? info.version : `${info.group}/${info.version}`;
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  return [
    `${info.verb} ${groupVersion} ${resource}`,
    ...(info.namespace === '' ? [] : [`in ${info.namespace}`]),
    ...(info.name === '' ? [] : [`named ${info.name}`]),
  ].join(' ');
}

for (const [request, expected] of cases) {
  test(`${request} is: ${expected}`, () => assert.equal(describe(request), expected));
}

test('a special verb without a resource is malformed', () => {
  assert.equal(requestInfo('GET', '/api/v1/watch', ''), undefined);
});

test('a name in a field selector narrows what is read, not what is deleted', () => {
  const query = 'fieldSelector=metadata.name%3Dp';
  assert.equal(requestInfo('GET', '/api/v1/namespaces/n/pods', query)?.name, 'p');
  assert.equal(requestInfo('DELETE', '/api/v1/namespaces/n/pods', query)?.name, '');
  assert.equal(requestInfo('GET', '/api/v1/watch/namespaces/n/pods', query)?.name, '');
});

test('what lies in a namespace is told from the namespace itself', () => {
  const inNamespace = (path: string): boolean | undefined => requestInfo('GET', path, '')?.inNamespace;
  assert.equal(inNamespace('/api/v1/namespaces/a'), false);
  assert.equal(inNamespace('/api/v1/namespaces/a/status'), false);
  assert.equal(inNamespace('/api/v1/namespaces/a/namespaces/b'), true);
  assert.equal(inNamespace('/api/v1/watch/namespaces/a/pods'), true);
});

test('options that cannot be read, and names that cannot be, narrow nothing', () => {
  const nameOf = (query: string): string | undefined => requestInfo('GET', '/api/v1/namespaces/n/secrets', query)?.name;
  assert.equal(nameOf('fieldSelector=metadata.name%3Ds&limit=x'), '');
  assert.equal(nameOf('fieldSelector=metadata.name%3D..'), '');
  assert.equal(nameOf('fieldSelector=metadata.name%3Ds&limit=5'), 's');
});

test('a method that a client makes up is no verb', () => {
  for (const method of ['constructor', '__proto__', 'toString', 'get', 'Get']) {
    assert.equal(requestInfo(method, '/api/v1/namespaces/n/pods', '')?.verb, '');
  }
});
