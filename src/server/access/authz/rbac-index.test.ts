import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { resourceFactory } from '../../../../test/support/resource-factory.ts';
import { setImmediate as turn } from 'node:timers/promises';
import { servedGroupVersions } from '../../../schema/resources.ts';
import { createMemoryStorage } from '../../../storage/drivers/memory/memory-storage.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { builtInResources, resourceFacts } from '../../registry/built-in.ts';
import type { StoredEntry } from '../../registry/entry.ts';
import { LiveIndex } from '../../registry/live-index.ts';
import { ObjectReader } from '../../registry/object-reader.ts';
import type { Resource } from '../../registry/resource.ts';
import type { Attributes } from '../../request/authorizer.ts';
import type { UserInfo } from '../../request/user.ts';
import { rbacAuthorizer, RbacRules } from './rbac.ts';

const group = 'rbac.authorization.k8s.io';
const opened: Resource[] = [];
after(async () => {
  for (const { store } of opened) await store.cache[Symbol.asyncDispose]();
});

/** Roles and bindings of a store in memory. */
function fixture() {
  const storage = createMemoryStorage();
  const factory = resourceFactory(storage);
  const served = servedGroupVersions().filter((one) => one.group === group);
  const resources = builtInResources(resourceFacts(served).values(), [], factory);
  opened.push(...resources);
  const find = (plural: string): Resource => resources.find(({ names }) => names.plural === plural) as Resource;
  const reader = new ObjectReader((_, plural) => find(plural));
  const create = async (plural: string, kind: string, name: string, more: object): Promise<void> => {
    const { store } = find(plural);
    const object = { kind, apiVersion: `${group}/v1`, metadata: { name, namespace: 'default' }, ...more };
    await store.create(object, testContext({ name }));
    await store.cache.fresh();
    await turn();
  };
  const role = (name: string, rules: readonly object[]): Promise<void> => create('roles', 'Role', name, { rules });
  const bind = (name: string, to: string, user: string): Promise<void> =>
    create('rolebindings', 'RoleBinding', name, {
      roleRef: { apiGroup: group, kind: 'Role', name: to },
      subjects: [{ kind: 'User', apiGroup: group, name: user }],
    });
  return { storage, reader, role, bind, rolebindings: find('rolebindings') };
}

const userOf = (name: string): UserInfo => ({ name, uid: '', groups: [], extra: {} });
const asked = (user: string): Attributes => ({
  user: userOf(user),
  verb: 'get',
  isResource: true,
  namespace: 'default',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  name: 'p',
  path: '',
});
const getsPods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

test('one change of a resource is one change of an index of it, also when the store was restored', async () => {
  const { reader, bind, storage, rolebindings } = fixture();
  await bind('a', 'r', 'ann');
  let changes: string[] = [];
  const names = new LiveIndex(reader, { group, plurals: ['rolebindings'] }, () => ({
    set: (_: string, { key }: StoredEntry) => void changes.push(key.replace(/.*\//, '')),
    delete: (_: string, key: string) => void changes.push(`no ${key.replace(/.*\//, '')}`),
  }));
  const index = await names.get();
  assert.deepEqual(changes, ['a']);
  const before = storage.snapshot();
  await bind('b', 'r', 'bob');
  assert.equal(names.current, index);
  assert.deepEqual(changes, ['a', 'b']);
  changes = [];
  storage.rewind(before);
  for (let i = 0; i < 20 && names.current !== undefined; i++) await turn();
  await Promise.all([names.get(), names.get()]);
  assert.deepEqual(changes, ['a']);
  assert.equal(rolebindings.store.cache.stats.watchers, 1);
});

test('rights change with roles and bindings in whatever order they come and go', async () => {
  const { reader, role, bind, rolebindings } = fixture();
  const authorizer = rbacAuthorizer(new RbacRules(reader));
  const decision = async (user: string): Promise<string> => {
    const { decision: made, reason } = await authorizer.authorize(asked(user));
    return `${made} ${reason}`.trim();
  };
  assert.equal(await decision('ann'), 'no-opinion');
  await bind('a', 'reader', 'ann');
  assert.equal(await decision('ann'), `no-opinion RBAC: role.${group} "reader" not found`);
  await role('reader', [getsPods]);
  await bind('b', 'reader', 'ann');
  assert.equal(await decision('ann'), 'allow RBAC: allowed by RoleBinding "a/default" of Role "reader" to User "ann"');
  const entry = (await rolebindings.store.getCurrent('default', 'a')) as StoredEntry;
  await rolebindings.store.remove(entry, () => rolebindings.store.parse(entry), testContext({ name: 'a' }));
  await rolebindings.store.cache.fresh();
  await turn();
  assert.equal(await decision('ann'), 'allow RBAC: allowed by RoleBinding "b/default" of Role "reader" to User "ann"');
  assert.equal(await decision('bob'), 'no-opinion');
});

test('a user with many large roles lets others through while they are looked through', async () => {
  const { reader, role, bind } = fixture();
  for (let index = 0; index < 8; index++) {
    const rules = Array.from({ length: 3000 }, (_, at) => ({ apiGroups: [`g${at}.example.com`], resources: ['things'], verbs: ['get'] }));
    await role(`r${index}`, index === 7 ? [...rules, getsPods] : rules);
    await bind(`b${index}`, `r${index}`, 'ann');
  }
  const authorizer = rbacAuthorizer(new RbacRules(reader));
  await authorizer.authorize(asked('bob'));
  assert.ok(!(authorizer.authorize(asked('bob')) instanceof Promise));
  const made = authorizer.authorize(asked('ann'));
  assert.ok(made instanceof Promise);
  assert.equal((await made).decision, 'allow');
});

test('rules that are too many for a review are listed in part, and the review says so', async () => {
  const { reader, role, bind } = fixture();
  const name = 'n'.repeat(1_000_000);
  for (let index = 0; index < 10; index++) {
    await role(`r${index}`, [{ ...getsPods, resourceNames: [name] }]);
    await bind(`b${index}`, `r${index}`, 'ann');
  }
  const rules = await rbacAuthorizer(new RbacRules(reader)).rulesFor?.(userOf('ann'), 'default');
  assert.equal(rules?.resourceRules.length, 8);
  assert.equal(rules?.incomplete, true);
  assert.equal(rules?.evaluationError, 'there are more rules than a review lists');
});
