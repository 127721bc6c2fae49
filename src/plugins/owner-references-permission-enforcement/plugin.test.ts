import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const configMaps = '/api/v1/namespaces/a/configmaps';
const owner = (kind: string, blockOwnerDeletion?: boolean): object => ({
  apiVersion: 'v1',
  kind,
  name: 'o',
  uid: 'u',
  ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
});
const refused = (name: string, why: string): string => `configmaps "${name}" is forbidden: ${why}`;
const cannotDelete = "cannot set an ownerRef on a resource you can't delete: , <nil>";
const cannotFinalize = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>";
const unknownKind =
  'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion v1 Kind Foo: no matches for kind "Foo" in version "v1"';

const writes = { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch'] };
const users: Readonly<Record<string, readonly object[]>> = {
  writer: [writes],
  deleter: [writes, { apiGroups: [''], resources: ['configmaps'], verbs: ['delete'] }],
  finalizer: [writes, { apiGroups: [''], resources: ['pods/finalizers'], verbs: ['update'] }],
  'finalizer-of-everything': [writes, { apiGroups: ['*'], resources: ['*/finalizers'], verbs: ['update'] }],
};

const creates: readonly (readonly [user: string, what: string, owner: object, problem: string | undefined])[] = [
  ['writer', 'an owner', owner('Pod'), undefined],
  ['writer', 'an owner that it holds up', owner('Pod', true), cannotFinalize],
  ['finalizer', 'an owner that it holds up', owner('Pod', true), undefined],
  ['finalizer', 'an owner of another kind that it holds up', owner('Node', true), cannotFinalize],
  ['finalizer-of-everything', 'an owner of another kind that it holds up', owner('Node', true), undefined],
  ['writer', 'an owner of a kind that is not there', owner('Foo', true), unknownKind],
];
const updates: readonly (readonly [user: string, what: string, from: string, owner: object, problem: string | undefined])[] = [
  ['writer', 'an owner', 'free', owner('Pod'), cannotDelete],
  ['deleter', 'an owner', 'free', owner('Pod'), undefined],
  ['writer', 'the owner that it has', 'held', owner('Pod', true), undefined],
  ['deleter', 'an owner that it holds up', 'owned', owner('Pod', true), cannotFinalize],
];

describe('OwnerReferencesPermissionEnforcement', () => {
  const server = admissionServer({
    plugins: ['OwnerReferencesPermissionEnforcement'],
    authorization: 'RBAC',
    objects: [
      [configMaps, { metadata: { name: 'free' } }],
      [configMaps, { metadata: { name: 'owned', ownerReferences: [owner('Pod')] } }],
      [configMaps, { metadata: { name: 'held', ownerReferences: [owner('Pod', true)] } }],
    ],
  });

  before(async () => {
    for (const [user, rules] of Object.entries(users)) await server.allow(user, rules);
  });

  for (const [as, what, reference, problem] of creates) {
    test(`a ${as} gives a new object ${what}: ${problem === undefined ? 'admitted' : 'refused'}`, async () => {
      const { message } = await server.tryCreate(configMaps, { metadata: { name: 'new', ownerReferences: [reference] } }, { as });
      assert.equal(message, problem && refused('new', problem));
    });
  }

  for (const [as, what, name, reference, problem] of updates) {
    test(`a ${as} gives the object ${name} ${what}: ${problem === undefined ? 'admitted' : 'refused'}`, async () => {
      const changes = { metadata: { ownerReferences: [reference], labels: { by: as } } };
      const { message } = await server.patch(`${configMaps}/${name}?dryRun=All`, changes, { as });
      assert.equal(message, problem && refused(name, problem));
    });
  }
});
