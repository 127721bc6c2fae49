import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../testing/index.ts';
import type { RawAnswer } from '../../../test/support/raw-client.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { turnsOf } from '../../../test/support/turns.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const apiVersion = 'admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];

const policy = (expression: string): object => ({
  apiVersion,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'names' },
  spec: { matchConstraints: { resourceRules }, validations: [{ expression, message: 'no' }] },
});
const binding = (...validationActions: string[]): object => ({
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'all' },
  spec: { policyName: 'names', validationActions },
});

test('policies are enforced from the moment they are bound until they are gone', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const create = (name: string): Promise<RawAnswer> =>
    client.call('POST', `${configMaps}?dryRun=All`, { body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } } });
  const must = async (method: string, path: string, body?: object): Promise<void> => {
    const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
    const { status, text } = await client.call(method, path, { body, headers });
    assert.ok(status < 300, text);
  };

  assert.equal((await create('bad')).status, 201);
  await must('POST', `${group}/validatingadmissionpolicies`, policy("object.metadata.name != 'bad'"));
  assert.equal((await create('bad')).status, 201, 'nothing binds it');
  await must('POST', `${group}/validatingadmissionpolicybindings`, binding('Deny'));
  const { status, text } = await create('bad');
  assert.equal(status, 422);
  const denied = "ValidatingAdmissionPolicy 'names' with binding 'all' denied request: no";
  assert.deepEqual(JSON.parse(text), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `configmaps "bad" is forbidden: ${denied}`,
    reason: 'Invalid',
    details: { name: 'bad', kind: 'configmaps', causes: [{ message: denied }] },
    code: 422,
  });
  assert.equal((await create('good')).status, 201);

  await must('PATCH', `${group}/validatingadmissionpolicies/names`, policy("object.metadata.name != 'worse'"));
  assert.equal((await create('bad')).status, 201);
  assert.equal((await create('worse')).status, 422);

  await must('PATCH', `${group}/validatingadmissionpolicybindings/all`, binding('Warn'));
  const warned = await create('worse');
  assert.equal(warned.status, 201);
  assert.equal(warned.headers['warning'], `299 - "Validation failed for ValidatingAdmissionPolicy 'names' with binding 'all': no"`);

  await must('DELETE', `${group}/validatingadmissionpolicies/names`);
  assert.equal((await create('worse')).headers['warning'], undefined);
});

test('policies do not judge policies', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const everything = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }];
  const strict = { ...policy('false'), spec: { matchConstraints: { resourceRules: everything }, validations: [{ expression: 'false' }] } };
  assert.equal((await client.call('POST', `${group}/validatingadmissionpolicies`, { body: strict })).status, 201);
  assert.equal((await client.call('POST', `${group}/validatingadmissionpolicybindings`, { body: binding('Deny') })).status, 201);
  assert.equal((await client.call('DELETE', `${group}/validatingwebhookconfigurations/x`)).status, 404);
  assert.equal((await client.call('DELETE', `${group}/validatingadmissionpolicybindings/all`)).status, 200);
});

const paramCases: readonly (readonly [what: string, paramRef: object, size: string, expected: string])[] = [
  ['a parameter is found by its name', { name: 'three' }, '3', 'created'],
  ['and decides', { name: 'three' }, '4', 'at most 3'],
  ['all that are selected decide', { selector: { matchLabels: { tier: 'any' } } }, '4', 'at most 3'],
  [
    'one that is not there refuses',
    { name: 'gone' },
    '1',
    'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
  ],
  ['or says nothing', { name: 'gone', parameterNotFoundAction: 'Allow' }, '9', 'created'],
  ['another namespace may have it', { name: 'nine', namespace: 'kube-system' }, '9', 'created'],
];

test('parameters of bindings', async (t) => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const post = async (path: string, body: object): Promise<RawAnswer> => client.call('POST', path, { body });
  const limit = (name: string): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { tier: 'any' } },
    data: { max: name === 'nine' ? '9' : '3' },
  });
  assert.equal((await post(configMaps, limit('three'))).status, 201);
  assert.equal((await post('/api/v1/namespaces/kube-system/configmaps', limit('nine'))).status, 201);
  const validations = [
    { expression: 'int(object.data.size) <= int(params.data.max)', messageExpression: "'at most ' + string(params.data.max)" },
  ];
  const spec = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, matchConstraints: { resourceRules }, validations };
  const policies = `${group}/validatingadmissionpolicies`;
  assert.equal((await post(policies, { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name: 'names' }, spec })).status, 201);
  for (const [what, paramRef, size, expected] of paramCases) {
    await t.test(what, async () => {
      const bound = { policyName: 'names', validationActions: ['Deny'], paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } };
      const bindings = `${group}/validatingadmissionpolicybindings`;
      const kind = 'ValidatingAdmissionPolicyBinding';
      assert.equal((await post(bindings, { apiVersion, kind, metadata: { name: 'all' }, spec: bound })).status, 201);
      const { status, text } = await post(`${configMaps}?dryRun=All`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'x' },
        data: { size },
      });
      const { message = '' } = JSON.parse(text) as { message?: string };
      assert.equal(status === 201 ? 'created' : message.replace(/^.* denied request: /, ''), expected);
      assert.equal((await client.call('DELETE', `${bindings}/all`)).status, 200);
    });
  }
});

test('a policy with many parameters lets others through between them, and none is read before its turn', async (context) => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const must = async (path: string, body: object): Promise<void> => {
    const { status, text } = await client.call('POST', path, { body });
    assert.ok(status < 300, text);
  };
  for (let index = 0; index < 60; index++) await must(configMaps, { metadata: { name: `p${index}` }, data: { a: `v${index}` } });
  const { spec } = policy('params.data.a != object.metadata.name') as { spec: object };
  await must(`${group}/validatingadmissionpolicies`, {
    ...policy(''),
    spec: { ...spec, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
  });
  await must(`${group}/validatingadmissionpolicybindings`, {
    ...binding('Deny'),
    spec: { policyName: 'names', validationActions: ['Deny'], paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } },
  });
  const create = (name: string): Promise<RawAnswer> => client.call('POST', `${configMaps}?dryRun=All`, { body: { metadata: { name } } });
  await create('good');
  const { result, turns } = await turnsOf(context, () => create('good'));
  assert.equal(result.status, 201);
  assert.ok(turns > 60, `${turns} turns of the event loop for 60 parameters`);
  assert.equal((await create('v59')).status, 422);
});
