import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asked } from '../common/plugin-harness.ts';
import { PluginHarness } from '../common/plugin-harness.ts';
import { ownerReferencesPermissionEnforcement } from './plugin.ts';

const owner = (kind: string, blockOwnerDeletion?: boolean): object => ({
  apiVersion: 'v1',
  kind,
  name: 'o',
  uid: 'u',
  ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
});
const owned = (...ownerReferences: readonly object[]): object => ({ metadata: { name: 'c', ownerReferences } });
const refused = (why: string): string => `configmaps "c" is forbidden: ${why}`;
const cannotDelete = refused("cannot set an ownerRef on a resource you can't delete: , <nil>");
const cannotFinalize = refused(
  "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>",
);

const cases: readonly (readonly [name: string, allowed: string, request: Omit<Asked, 'about'>, result: string | undefined])[] = [
  ['an owner on create', '', { object: owned(owner('Pod')) }, undefined],
  ['an owner that is held up, on create', '', { object: owned(owner('Pod', true)) }, cannotFinalize],
  ['the same with the permission for pods', 'update pods/finalizers', { object: owned(owner('Pod', true)) }, undefined],
  ['the same with the permission for everything', 'update */finalizers', { object: owned(owner('Pod', true)) }, undefined],
  [
    'an owner of a kind that nobody knows',
    '',
    { object: owned(owner('Foo', true)) },
    refused(
      'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion v1 Kind Foo: no matches for kind "Foo" in version "v1"',
    ),
  ],
  ['another owner on update', '', { object: owned(owner('Pod')), old: owned() }, cannotDelete],
  ['the same by one who may delete', 'delete configmaps/', { object: owned(owner('Pod')), old: owned() }, undefined],
  ['owners as they were', '', { object: owned(owner('Pod', true)), old: owned(owner('Pod', true)) }, undefined],
  [
    'an owner that is held up from now on',
    'delete configmaps/',
    { object: owned(owner('Pod', true)), old: owned(owner('Pod')) },
    cannotFinalize,
  ],
];
for (const [name, allowed, request, expected] of cases) {
  test(`${name}: ${expected === undefined ? 'admitted' : 'refused'}`, async () => {
    const plugin = new PluginHarness(ownerReferencesPermissionEnforcement, {
      allows: ({ verb, resource, subresource }) => `${verb} ${resource}/${subresource}` === allowed,
    });
    assert.equal(await plugin.ask({ about: '/configmaps', ...request }), expected);
  });
}
