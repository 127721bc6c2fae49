import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestServer } from './index.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { until } from '../../test/support/eventually.ts';

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Policy {
  metadata: { generation: number; managedFields: { manager: string; subresource?: string }[] };
  status?: { observedGeneration?: number; typeChecking?: { expressionWarnings?: { fieldRef: string; warning: string }[] } };
}

const policy = (name: string, resourceRule: object, spec: object): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: { matchConstraints: { resourceRules: [{ operations: ['CREATE'], apiVersions: ['v1'], ...resourceRule }] }, ...spec },
});

/** The policy once its newest generation has been observed. */
async function observed(client: RawClient, name: string): Promise<Policy> {
  for (;;) {
    const found = JSON.parse((await client.call('GET', `${policies}/${name}`)).text) as Policy;
    if (found.status?.observedGeneration === found.metadata.generation) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const warningsOf = ({ status }: Policy): string[] =>
  (status?.typeChecking?.expressionWarnings ?? []).map(({ fieldRef, warning }) => `${fieldRef} ${warning}`);

test('types that expressions get wrong stand in the status of the policy', { timeout: 30_000 }, async () => {
  await using server = await startTestServer({ controllers: true });
  await using client = new RawClient(server);
  const rule = { apiGroups: ['apps'], resources: ['deployments', 'replicasets', 'deployments/scale'] };
  const validations = [
    { expression: 'object.spec.replicas > "1"', messageExpression: 'string(object.nothing)' },
    { expression: 'object.spec.strategy.rollingUpdate.maxSurge == "x"' },
    { expression: 'params.data.x == 1 || variables.labels.a == "b"' },
  ];
  const variables = [{ name: 'labels', expression: 'object.metadata.labels' }];
  const body = policy('typed', rule, { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, variables, validations });
  assert.equal((await client.call('POST', policies, { body })).status, 201);
  const warned = await observed(client, 'typed');
  const both = (place: string, problem: string, at: number, expression: string): string =>
    `spec.validations[${place} ${['Deployment', 'ReplicaSet']
      .map((kind) => `apps/v1, Kind=${kind}: ERROR: <input>:1:${at}: ${problem}\n | ${expression}\n | ${'.'.repeat(at - 1)}^\n`)
      .join('\n')}`;
  assert.deepEqual(warningsOf(warned), [
    both('0].expression', "found no matching overload for '_>_' applied to '(int, string)'", 22, 'object.spec.replicas > "1"'),
    both('0].messageExpression', "undefined field 'nothing'", 14, 'string(object.nothing)'),
    `spec.validations[1].expression apps/v1, Kind=ReplicaSet: ERROR: <input>:1:12: undefined field 'strategy'\n | object.spec.strategy.rollingUpdate.maxSurge == "x"\n | ...........^\n`,
    both(
      '2].expression',
      "found no matching overload for '_==_' applied to '(string, int)'",
      15,
      'params.data.x == 1 || variables.labels.a == "b"',
    ),
  ]);
  const [manager] = warned.metadata.managedFields.filter(({ subresource }) => subresource === 'status');
  assert.equal(manager?.manager, 'validatingadmissionpolicy-status');

  const patch = { spec: { validations: [{ expression: 'object.spec.replicas > 1' }] } };
  await client.call('PATCH', `${policies}/typed`, { body: patch, headers: { 'content-type': 'application/merge-patch+json' } });
  assert.deepEqual(warningsOf(await observed(client, 'typed')), []);
});

test('custom resources are known by their schema, and rules for everything by none', { timeout: 30_000 }, async () => {
  await using server = await startTestServer({ controllers: true });
  await using client = new RawClient(server);
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
  assert.equal((await client.call('POST', definitions, { body: definition })).status, 201);
  await until('things are served', async () => (await client.call('GET', '/apis/example.com/v1/things')).status === 200);
  const validations = [{ expression: 'object.spec.size == "x"' }];
  await client.call('POST', policies, { body: policy('things', { apiGroups: ['example.com'], resources: ['things'] }, { validations }) });
  await client.call('POST', policies, { body: policy('anything', { apiGroups: ['*'], resources: ['things'] }, { validations }) });
  assert.match(
    warningsOf(await observed(client, 'things')).join(),
    /^spec\.validations\[0\]\.expression example\.com\/v1, Kind=Thing: ERROR/,
  );
  assert.deepEqual(warningsOf(await observed(client, 'anything')), []);
});

test('a policy from before the controllers is looked at, too', { timeout: 30_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'wheelhouse-controllers-'));
  using _cleanUp = { [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
  const rule = { apiGroups: [''], resources: ['pods'] };
  {
    await using server = await startTestServer({ controllers: false, storage: { directory } });
    await using client = new RawClient(server);
    const body = policy('early', rule, { validations: [{ expression: 'object.x == 1' }] });
    assert.equal((await client.call('POST', policies, { body })).status, 201);
  }
  await using server = await startTestServer({ storage: { directory } });
  await using client = new RawClient(server);
  assert.match(warningsOf(await observed(client, 'early')).join(), /undefined field 'x'/);
});

test('without controllers nobody looks', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const rule = { apiGroups: [''], resources: ['pods'] };
  const answer = await client.call('POST', policies, { body: policy('alone', rule, { validations: [{ expression: 'object.x == 1' }] }) });
  assert.deepEqual((JSON.parse(answer.text) as Policy).status, {});
});
