import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserInfo } from '../request/user.ts';
import type { Attributes, Authorizer } from '../request/authorizer.ts';
import { allModes, impersonatedBy } from './impersonation-modes.ts';

const requestor: UserInfo = { name: 'me', uid: '', groups: [], extra: {} };
const request: Attributes = {
  user: requestor,
  verb: 'list',
  isResource: true,
  path: '',
  group: '',
  version: 'v1',
  namespace: 'n',
  resource: 'pods',
  subresource: '',
  name: '',
};
const wanted = (name: string, more: Partial<UserInfo> = {}): UserInfo => ({ name, uid: '', groups: [], extra: {}, ...more });

/** Allows what is listed, as `verb resource name`. */
function allowing(...allowed: readonly string[]): Authorizer {
  return {
    authorize: ({ verb, resource, name }) => ({
      decision: allowed.includes(`${verb} ${resource} ${name}`.trim()) ? 'allow' : 'no-opinion',
      reason: '',
    }),
  };
}

const cases: readonly (readonly [string, UserInfo, readonly string[], readonly string[]])[] = [
  ['as a user for all requests', wanted('bob'), ['impersonate users bob'], ['system:authenticated']],
  [
    'as a user for this request',
    wanted('bob', { groups: ['g'] }),
    ['impersonate-on:user-info:list pods', 'impersonate:user-info users bob', 'impersonate:user-info groups g'],
    ['g', 'system:authenticated'],
  ],
  [
    'as a service account',
    wanted('system:serviceaccount:n:a'),
    ['impersonate-on:serviceaccount:list pods', 'impersonate:serviceaccount serviceaccounts a'],
    ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
  ],
  [
    'as a node, which comes with its group',
    wanted('system:node:x'),
    ['impersonate-on:arbitrary-node:list pods', 'impersonate:arbitrary-node nodes x'],
    ['system:nodes', 'system:authenticated'],
  ],
];

for (const [what, user, allowed, groups] of cases) {
  test(`one may act ${what} when the authorizer says so`, async () => {
    assert.deepEqual((await impersonatedBy(allModes, user, request, allowing(...allowed))).user.groups, groups);
  });
  test(`one may not act ${what} when a single permission is missing`, async () => {
    await assert.rejects(impersonatedBy(allModes, user, request, allowing(...allowed.slice(1))), { message: /cannot impersonate/ });
  });
}

test('system:masters is out of reach of permissions for single requests', async () => {
  const all: Authorizer = { authorize: ({ verb }) => ({ decision: verb === 'impersonate' ? 'no-opinion' : 'allow', reason: '' }) };
  await assert.rejects(impersonatedBy(allModes, wanted('bob', { groups: ['system:masters'] }), request, all), {
    message: /impersonating the system:masters group is not allowed/,
  });
});

test('a pod acts as the node it runs on without naming it to the authorizer', async () => {
  const pod = { ...requestor, name: 'system:serviceaccount:n:a', extra: { 'authentication.kubernetes.io/node-name': ['x'] } };
  const authorizer = allowing('impersonate-on:associated-node:list pods', 'impersonate:associated-node nodes *');
  const { user } = await impersonatedBy(allModes, wanted('system:node:x'), { ...request, user: pod }, authorizer);
  assert.equal(user.name, 'system:node:x');
});
