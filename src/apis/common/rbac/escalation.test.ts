import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Authorizer } from '../../../server/request/authorizer.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { authorizeRole } from './escalation.ts';

const jane = { name: 'jane', uid: '', groups: ['dev'], extra: {} };
const role = { metadata: { name: 'r' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods', 'secrets'] }] };

/** Allows the given verbs on roles; the user holds `get pods`. */
const holding = (...verbs: string[]): Authorizer => ({
  authorize: ({ verb }) => ({ decision: verbs.includes(verb) ? 'allow' : 'no-opinion', reason: '' }),
  roleRulesFor: () => ({
    resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
    nonResourceRules: [],
    incomplete: false,
  }),
});

test('nobody puts permissions into a role that they do not hold', async () => {
  await assert.rejects(authorizeRole('roles', role, undefined, testContext({ user: jane, authorizer: holding() })), {
    message:
      'roles.rbac.authorization.k8s.io "r" is forbidden: user "jane" (groups=["dev"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  });
});

test('administrators and those who may escalate can', async () => {
  await authorizeRole('roles', role, undefined, testContext({ user: jane, authorizer: holding('escalate') }));
  await authorizeRole('roles', role, undefined, testContext({ authorizer: holding() }));
});

test('the garbage collector lets go of roles that it could not have written', async () => {
  const old = { ...role, metadata: { name: 'r', finalizers: ['example.com/f'] } };
  await authorizeRole('roles', role, old, testContext({ user: jane, authorizer: holding() }));
});

test('only who can do everything collects the rules of others', async () => {
  const own = { metadata: { name: 'r' }, rules: null, aggregationRule: { clusterRoleSelectors: [{}] } };
  await assert.rejects(
    authorizeRole('clusterroles', own, undefined, testContext({ user: jane, authorizer: holding() })),
    /must have cluster-admin privileges to use the aggregationRule$/,
  );
});

test('what others than roles allow cannot be granted by roles', async () => {
  const everything = { resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], nonResourceRules: [], incomplete: false };
  const authorizer: Authorizer = { ...holding(), rulesFor: () => everything };
  await assert.rejects(authorizeRole('roles', role, undefined, testContext({ user: jane, authorizer })), /not currently held/);
});

test('who may escalate a role by its name may not make it', async () => {
  const byName: Authorizer = {
    ...holding(),
    authorize: ({ verb, name }) => ({ decision: verb === 'escalate' && name === 'r' ? 'allow' : 'no-opinion', reason: '' }),
  };
  const context = { user: jane, authorizer: byName, name: 'r' };
  await authorizeRole('roles', role, { ...role, rules: [] }, testContext({ ...context, verb: 'update' }));
  await assert.rejects(authorizeRole('roles', role, undefined, testContext({ ...context, verb: 'create' })), /not currently held/);
});
