import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abacAuthorizer, readAbacPolicies } from './abac.ts';
import type { Attributes } from '../../request/authorizer.ts';

const versioned = (spec: object): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
const read = (...lines: string[]) => readAbacPolicies(lines.join('\n'), 'policy.jsonl');

const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups: [...groups, 'system:authenticated'], extra: {} });
const base = { path: '', group: '', version: 'v1', namespace: 'n', resource: 'pods', subresource: '', name: '', isResource: true };
const asked = (who: Attributes['user'], verb: string, more: Partial<Attributes> = {}): Attributes => ({
  ...base,
  user: who,
  verb,
  ...more,
});
const path = (at: string): Partial<Attributes> => ({ isResource: false, path: at, namespace: '', resource: '' });

const { policies, hasUnversioned } = read(
  '# who may do what',
  '',
  versioned({ user: 'alice', namespace: '*', resource: '*', apiGroup: '*' }),
  versioned({ user: 'bob', namespace: 'n', resource: 'pods', readonly: true }),
  versioned({ user: 'dora', group: 'dev', nonResourcePath: '/health*' }),
  versioned({ group: '*', nonResourcePath: '/version' }),
  versioned({ namespace: '*', resource: 'secrets' }),
  '{"user":"old"}',
  '{"group":"ops","resource":"nodes"}',
);

test('abacAuthorizer() allows what one policy allows, and has no opinion on the rest', () => {
  const cases: readonly (readonly [Attributes, boolean])[] = [
    [asked(user('alice'), 'delete'), true],
    [asked(user('alice'), 'get', path('/x')), false],
    [asked(user('bob'), 'watch'), true],
    [asked(user('bob'), 'create'), false],
    [asked(user('bob'), 'get', { namespace: 'other' }), false],
    [asked(user('bob'), 'get', { group: 'apps' }), false],
    [asked(user('dora', 'dev'), 'get', path('/healthz')), true],
    [asked(user('dora'), 'get', path('/healthz')), false],
    [asked(user('emil', 'dev'), 'get', path('/healthz')), false],
    [asked(user('emil'), 'get', path('/version')), true],
    [asked(user('emil'), 'get', { resource: 'secrets' }), false],
    [asked(user('old'), 'delete', { group: 'apps' }), true],
    [asked(user('old'), 'get', path('/x')), true],
    [asked(user('emil', 'ops'), 'delete', { resource: 'nodes', namespace: '' }), true],
    [asked(user('emil', 'ops'), 'get', path('/x')), false],
  ];
  const authorizer = abacAuthorizer(policies);
  for (const [attributes, allowed] of cases) {
    const expected = allowed ? { decision: 'allow', reason: '' } : { decision: 'no-opinion', reason: 'No policy matched.' };
    assert.deepEqual(authorizer.authorize(attributes), expected, JSON.stringify(attributes));
  }
});

test('abacAuthorizer() lists the rules of a user in a namespace', () => {
  assert.deepEqual(abacAuthorizer(policies).rulesFor?.(user('bob'), 'n'), {
    resourceRules: [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }],
    nonResourceRules: [],
    incomplete: false,
  });
});

test('readAbacPolicies() knows lines without a version, and says which line it cannot read', () => {
  assert.equal(hasUnversioned, true);
  assert.equal(read(versioned({ user: 'a' })).hasUnversioned, false);
  assert.throws(() => read('#', '{'), {
    message: /^error reading policy file policy.jsonl, line 2: \{: couldn't get version\/kind; json parse error: /,
  });
});
