import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerText } from '../server/http/header-text.ts';
import { userHeaders } from './proxy-headers.ts';

test('userHeaders() names the user in all parts, and escapes what a header cannot be called', () => {
  const extra = { 'authentication.kubernetes.io/credential-id': ['X509SHA256=1'], 'Ä%': ['1', '2'] };
  assert.deepEqual(userHeaders({ name: 'jane', uid: 'u1', groups: ['a', 'b'], extra }), {
    'x-remote-user': 'jane',
    'x-remote-uid': 'u1',
    'x-remote-group': ['a', 'b'],
    'x-remote-extra-authentication.kubernetes.io%2Fcredential-id': ['X509SHA256=1'],
    'x-remote-extra-%C3%84%25': ['1', '2'],
  });
});

test('userHeaders() says nothing where there is nothing to say, and names in UTF-8', () => {
  assert.deepEqual(userHeaders({ name: 'jürgen', uid: '', groups: [], extra: {} }), { 'x-remote-user': 'jÃ¼rgen' });
});

test('names that are no UTF-8 go on as they came: two users stay two', () => {
  const bytes = 'a\xff\xc3\xbc';
  const name = headerText(bytes);
  assert.deepEqual(userHeaders({ name, uid: '', groups: [name], extra: { [name]: [name] } }), {
    'x-remote-user': bytes,
    'x-remote-group': [bytes],
    'x-remote-extra-a%FF%C3%BC': [bytes],
  });
});
