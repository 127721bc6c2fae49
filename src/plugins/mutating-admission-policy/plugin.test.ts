import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const apiVersion = 'admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
const applying = (expression: string): object => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patching = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

interface ConfigMap {
  readonly message?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly metadata: { readonly labels?: object; readonly finalizers?: readonly string[] };
  readonly data?: object;
}

/** A server with these policies, all bound; returns what becomes of a config map. */
async function withPolicies(
  policies: readonly Readonly<Record<string, unknown>>[],
  use: (create: (name: string) => Promise<ConfigMap>, metrics: () => Promise<string>) => Promise<void>,
): Promise<void> {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  for (const [i, spec] of policies.entries()) {
    const metadata = { name: `p${i}` };
    const policy = { apiVersion, kind: 'MutatingAdmissionPolicy', metadata, spec: { matchConstraints: { resourceRules }, ...spec } };
    const made = await client.call('POST', `${group}/mutatingadmissionpolicies`, { body: policy });
    assert.equal(made.status, 201, made.text);
    const binding = { apiVersion, kind: 'MutatingAdmissionPolicyBinding', metadata, spec: { policyName: metadata.name } };
    assert.equal((await client.call('POST', `${group}/mutatingadmissionpolicybindings`, { body: binding })).status, 201);
  }
  await use(
    async (name) => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      return JSON.parse((await client.call('POST', configMaps, { body })).text) as ConfigMap;
    },
    async () => (await client.call('GET', '/metrics')).text,
  );
}

test('configurations are applied and patches run, in order, each on what the one before left', async () => {
  const mutations = [
    applying('Object{metadata: Object.metadata{labels: Object.metadata.labels{a: "1"}}}'),
    patching('[JSONPatch{op: "add", path: "/data", value: {"seen": object.metadata.labels.a}}]'),
    patching('[JSONPatch{op: "test", path: "/data/seen", value: "2"}, JSONPatch{op: "remove", path: "/data"}]'),
  ];
  await withPolicies([{ mutations, reinvocationPolicy: 'Never' }], async (create) => {
    const { metadata, data } = await create('x');
    assert.deepEqual([metadata.labels, data], [{ a: '1' }, { seen: '1' }]);
  });
});

test('fields of what an expression constructs can be selected', async () => {
  const mutations = [
    applying('Object{metadata: Object.metadata{labels: {"a": Object{data: Object.data{k: "v"}}.data.k}}}'),
    applying('Object{metadata: Object.metadata{finalizers: ["x.io/a"] + Object.metadata{finalizers: ["x.io/b"]}.finalizers}}'),
    patching('[JSONPatch{op: "add", path: "/data", value: {"has": string(has(Object{a: 1}.b)), "null": string(Object{}.b == null)}}]'),
  ];
  await withPolicies([{ mutations, reinvocationPolicy: 'Never' }], async (create) => {
    const { metadata, data } = await create('selected');
    assert.deepEqual([metadata.labels, metadata.finalizers, data], [{ a: 'v' }, ['x.io/a', 'x.io/b'], { has: 'false', null: 'true' }]);
  });
});

test('a policy that wants to sees what others changed after it', async () => {
  const first = {
    mutations: [applying("Object{data: {'seen': has(object.metadata.labels) ? 'labels' : 'nothing'}}")],
    reinvocationPolicy: 'IfNeeded',
  };
  const second = {
    mutations: [applying('Object{metadata: Object.metadata{labels: Object.metadata.labels{late: "yes"}}}')],
    reinvocationPolicy: 'Never',
  };
  await withPolicies([first, second], async (create) => assert.deepEqual((await create('x')).data, { seen: 'labels' }));
});

test('what cannot be done refuses the request, or is ignored', async () => {
  const failing = (failurePolicy: string, name: string): Readonly<Record<string, unknown>> => ({
    mutations: [applying('Object{data: {"x": string(object.nope)}}'), applying('Object{nope: 1}')],
    matchConditions: [{ name: 'c', expression: `object.metadata.name == '${name}'` }],
    reinvocationPolicy: 'Never',
    failurePolicy,
  });
  await withPolicies([failing('Fail', 'refused'), failing('Ignore', 'ignored')], async (create) => {
    const { code, reason, message } = await create('refused');
    assert.deepEqual([code, reason], [403, 'Invalid']);
    assert.match(message ?? '', /^policy 'p0' with binding 'p0' denied request: expression '.*' resulted in error: no such key: nope$/);
    assert.equal((await create('ignored')).data, undefined);
  });
});

test('mutations are counted by policy and how they end, and conditions that do not hold or fail', async () => {
  const policy = {
    mutations: [applying('Object{data: {"a": "1"}}'), applying('Object{data: {"x": string(object.nope)}}')],
    matchConditions: [
      { name: 'fails', expression: "object.metadata.name != 'failing' || object.nope == 1" },
      { name: 'excludes', expression: "object.metadata.name != 'excluded'" },
    ],
    reinvocationPolicy: 'Never',
    failurePolicy: 'Ignore',
  };
  await withPolicies([policy], async (create, metrics) => {
    for (const name of ['changed', 'failing', 'excluded']) await create(name);
    const text = await metrics();
    for (const error of ['no_error', 'invalid_error']) {
      const labels = `{error_type="${error}",policy="p0",policy_binding="p0"}`;
      assert.ok(text.includes(`apiserver_mutating_admission_policy_check_total${labels} 1\n`), error);
      assert.ok(text.includes(`apiserver_mutating_admission_policy_check_duration_seconds_count${labels} 1\n`), error);
    }
    const of = '{kind="policy",name="p0",operation="CREATE",type="validate"}';
    assert.ok(text.includes(`apiserver_admission_match_condition_evaluation_seconds_count${of} 2\n`));
    assert.ok(text.includes(`apiserver_admission_match_condition_evaluation_errors_total${of} 1\n`));
  });
});
