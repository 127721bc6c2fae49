import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attributes } from '../../../server/request/authorizer.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { paramRefAccess, validateParamAccess } from './param-authorization.ts';

const jane = { name: 'jane', uid: '7', groups: ['dev', 'ops'], extra: { b: ['2', '3'], a: ['1'] } };
const shownJane = '&{jane 7 [dev ops] map[a:[1] b:[2 3]]}';
const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const policies: Readonly<Record<string, unknown>> = {
  known: { spec: { paramKind: configMap } },
  foreign: { spec: { paramKind: { apiVersion: 'example.com/v1', kind: 'Nobody' } } },
};

/** Jane on a server that knows ConfigMaps and the policies above; `asked` collects what the authorizer hears. */
function janesWrite(allowed: boolean): { context: WriteContext; asked: string[] } {
  const asked: string[] = [];
  const authorize = ({ verb, group, version, resource, namespace, name }: Attributes) => {
    asked.push([verb, group, version, resource, namespace, name].join(' '));
    return { decision: allowed ? ('allow' as const) : ('no-opinion' as const), reason: '' };
  };
  const reader = {
    resourceOf: ({ kind }: { kind: string }) => (kind === 'ConfigMap' ? { names: { plural: 'configmaps' } } : undefined),
    get: async (_group: string, _plural: string, _namespace: string, name: string) => policies[name],
  };
  return { context: testContext({ user: jane, authorizer: { authorize }, reader: reader as unknown as WriteContext['reader'] }), asked };
}

const policy = (paramKind?: { apiVersion: string; kind: string }) => ({
  metadata: { name: 'p' },
  spec: paramKind === undefined ? {} : { paramKind },
});

test('who names a kind of parameters must be able to get all of them', async () => {
  const { context, asked } = janesWrite(false);
  assert.deepEqual((await validateParamAccess(policy(configMap), undefined, context)).map(String), [
    `spec.paramKind: Forbidden: user ${shownJane} must have "get" permission on all objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)`,
  ]);
  assert.deepEqual(asked, ['get  v1 configmaps * *']);
});

test('a kind that stays the same is not asked about, another one is', async () => {
  const { context, asked } = janesWrite(false);
  assert.deepEqual(await validateParamAccess(policy(configMap), policy(configMap), context), []);
  assert.deepEqual(await validateParamAccess(policy(), policy(configMap), context), []);
  assert.equal((await validateParamAccess(policy({ apiVersion: 'v1', kind: 'Other' }), policy(configMap), context)).length, 1);
  assert.deepEqual(asked, ['get  v1 * * *']);
});

test('administrators are not asked', async () => {
  const nobody = { authorizer: { authorize: () => ({ decision: 'deny' as const, reason: '' }) } };
  assert.deepEqual(await validateParamAccess(policy(configMap), undefined, testContext(nobody)), []);
});

const everything = `does not have "get" permission for all groups, versions and resources`;
const bindings: readonly (readonly [policyName: string, paramRef: object, asked: string, problem: string])[] = [
  [
    'known',
    { name: 'c', namespace: 'n' },
    'get  v1 configmaps n c',
    `user ${shownJane} does not have "get" permission on the object referenced by paramRef`,
  ],
  [
    'known',
    { selector: {} },
    'list  v1 configmaps  ',
    `user ${shownJane} does not have "list" permission on the object referenced by paramRef`,
  ],
  [
    'foreign',
    { name: 'c' },
    'get example.com v1 *  c',
    `unable to resolve paramKind &{example.com/v1 Nobody} to determine minimum required permissions and user ${shownJane} ${everything}`,
  ],
  [
    'gone',
    { name: 'c' },
    'get * * *  c',
    `unable to get policy gone to determine minimum required permissions and user ${shownJane} ${everything}`,
  ],
];

for (const [policyName, paramRef, question, problem] of bindings) {
  test(`a binding of the policy ${policyName} by ${JSON.stringify(paramRef)} asks for ${question.trim()}`, async () => {
    const validate = paramRefAccess('validatingadmissionpolicies');
    const binding = { metadata: { name: 'b' }, spec: { policyName, paramRef } };
    const denied = janesWrite(false);
    assert.deepEqual((await validate(binding, binding, denied.context)).map(String), [`spec.paramRef: Forbidden: ${problem}`]);
    assert.deepEqual(denied.asked, [question]);
    assert.deepEqual(await validate(binding, undefined, janesWrite(true).context), []);
  });
}

test('for mutating policies verb and user have changed places', async () => {
  const binding = { metadata: { name: 'b' }, spec: { policyName: 'known', paramRef: { name: 'c' } } };
  const [error] = await paramRefAccess('mutatingadmissionpolicies')(binding, undefined, janesWrite(false).context);
  assert.equal(error?.detail, `user get does not have "${shownJane}" permission on the object referenced by paramRef`);
});
