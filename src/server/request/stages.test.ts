import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from '../http/connection.ts';
import { Request } from '../http/request.ts';
import type { Filter, Handler } from '../http/response.ts';
import { requestInfo } from './request-info.ts';
import type { AuthenticatedRequest, ParsedRequest } from './stages.ts';
import { authenticated, found, identified, impersonating, parsed } from './stages.ts';

function arrived(): Request {
  const source = {
    method: 'GET',
    target: '/api/v1/pods',
    protocol: 'HTTP/2.0',
    headers: {},
    connection: new Connection(undefined),
    readBody: async () => Buffer.alloc(0),
    body: undefined,
    onClose() {},
  } as const;
  return new Request(source, 0);
}

const ann = { name: 'ann', uid: '', groups: [], extra: {} };
const info = requestInfo('GET', '/api/v1/pods', '');

test('a request is the same object at every stage, and knows more at each', () => {
  assert.ok(info !== undefined);
  const request = arrived();
  assert.deepEqual([found(request).info, found(request).user], [undefined, undefined]);
  const atLast = impersonating(authenticated(parsed(identified(request, 'id'), info), { ...ann, name: 'admin' }), ann);
  assert.equal(atLast, request);
  assert.deepEqual(
    [atLast.auditId, atLast.info.verb, atLast.routed, atLast.user.name, atLast.audit],
    ['id', 'list', undefined, 'ann', undefined],
  );
  assert.equal(found(request).user, ann);
});

test('the compiler refuses a handler where what it relies on is not known yet', () => {
  const greeting: Handler<AuthenticatedRequest> = ({ user }) => ({ status: 200, headers: { 'x-user': user.name } });
  const authenticate: Filter<ParsedRequest, AuthenticatedRequest> = (next) => (request) => next(authenticated(request, ann));
  // @ts-expect-error a request that has just come has no user
  const tooEarly: Handler = greeting;
  // @ts-expect-error nor is it known what it asks for
  const stillTooEarly: Handler = authenticate(greeting);
  const inTime: Handler<ParsedRequest> = authenticate(greeting);
  assert.ok([tooEarly, stillTooEarly, inTime].every((handler) => typeof handler === 'function'));
});
