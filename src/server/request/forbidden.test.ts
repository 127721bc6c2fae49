import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forbiddenRequest } from './forbidden.ts';

const jane = { name: 'jane', uid: '', groups: [], extra: {} };
const about = { user: jane, verb: 'get', isResource: true, path: '/', group: '', version: 'v1', namespace: 'a', subresource: '' };

test('names are quoted as Go does it', () => {
  assert.equal(
    forbiddenRequest({ ...about, resource: 'pods', name: '\0' }, '').message,
    'pods "\\x00" is forbidden: User "jane" cannot get resource "pods" in API group "" in the namespace "a"',
  );
});

test('what is no resource at all has no name in front', () => {
  assert.match(forbiddenRequest({ ...about, resource: '', name: 'pods' }, '').message, /^forbidden: User "jane" cannot get resource ""/);
});
