import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '../../../schema/types/audit-v1.ts';
import type { AuditedAttributes } from './policy-rules.ts';
import { PolicyRules } from './policy-rules.ts';

const request: AuditedAttributes = {
  user: { name: 'alice', uid: '', groups: ['dev', 'ops'], extra: {} },
  verb: 'get',
  isResource: true,
  path: '/api/v1/namespaces/n/pods/p/log',
  group: '',
  version: 'v1',
  namespace: 'n',
  resource: 'pods',
  subresource: 'log',
  name: 'p',
};
const plain: AuditedAttributes = {
  ...request,
  isResource: false,
  path: '/healthz/etcd',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
};
const whole = { ...request, subresource: '' };

const cases: readonly (readonly [name: string, attributes: AuditedAttributes, rule: Partial<PolicyRule>, matches: boolean])[] = [
  ['nothing', request, {}, true],
  ['the user', request, { users: ['bob', 'alice'] }, true],
  ['another user', request, { users: ['bob'] }, false],
  ['a user, of a request of nobody', { ...request, user: undefined }, { users: ['alice'] }, false],
  ['one of the groups', request, { userGroups: ['ops'] }, true],
  ['another group', request, { userGroups: ['hr'] }, false],
  ['a group, of a request of nobody', { ...request, user: undefined }, { userGroups: ['ops'] }, false],
  ['the verb', request, { verbs: ['list', 'get'] }, true],
  ['another verb', request, { verbs: ['list'] }, false],
  ['the namespace', request, { namespaces: ['n'] }, true],
  ['no namespace', request, { namespaces: [''] }, false],
  ['a namespace, of a path', plain, { namespaces: [''] }, false],
  ['the resource with its subresource', request, { resources: [{ resources: ['pods/log'] }] }, true],
  ['the resource alone', request, { resources: [{ resources: ['pods'] }] }, false],
  ['all subresources of the resource', request, { resources: [{ resources: ['pods/*'] }] }, true],
  ['all subresources, the resource itself among them', whole, { resources: [{ resources: ['pods/*'] }] }, true],
  ['the subresource of all', request, { resources: [{ resources: ['*/log'] }] }, true],
  ['a subresource, of the whole', whole, { resources: [{ resources: ['*/log'] }] }, false],
  ['all resources', request, { resources: [{ resources: ['*'] }] }, true],
  ['the group', request, { resources: [{ group: '' }] }, true],
  ['any group', request, { resources: [{ group: '*' }] }, true],
  ['another group of resources', request, { resources: [{ group: 'apps' }] }, false],
  ['the name', request, { resources: [{ resources: ['pods/log'], resourceNames: ['p'] }] }, true],
  ['another name', request, { resources: [{ resources: ['pods/log'], resourceNames: ['q'] }] }, false],
  ['a resource, of a path', plain, { resources: [{ group: '*' }] }, false],
  ['the path', plain, { nonResourceURLs: ['/healthz/etcd'] }, true],
  ['the beginning of the path', plain, { nonResourceURLs: ['/healthz*'] }, true],
  ['any path', plain, { nonResourceURLs: ['*'] }, true],
  ['another path', plain, { nonResourceURLs: ['/healthz'] }, false],
  ['any path, of a resource', request, { nonResourceURLs: ['*'] }, false],
];

for (const [name, attributes, rule, matches] of cases) {
  test(`a rule for ${name} ${matches ? 'matches' : 'does not match'}`, () => {
    const rules = new PolicyRules({ metadata: {}, rules: [{ level: 'Metadata', ...rule }] });
    assert.equal(rules.extentOf(attributes).level, matches ? 'Metadata' : 'None');
  });
}

test('the first rule that matches counts, and adds to what the policy omits', () => {
  const rules = new PolicyRules({
    metadata: {},
    omitStages: ['Panic'],
    omitManagedFields: true,
    rules: [
      { level: 'Request', verbs: ['get'], omitStages: ['RequestReceived'], omitManagedFields: false },
      { level: 'Metadata', users: ['alice'] },
    ],
  });
  assert.deepEqual(rules.extentOf(request), {
    level: 'Request',
    omitStages: new Set(['Panic', 'RequestReceived']),
    omitManagedFields: false,
  });
  assert.deepEqual(rules.extentOf({ ...request, verb: 'list' }), {
    level: 'Metadata',
    omitStages: new Set(['Panic']),
    omitManagedFields: true,
  });
});
