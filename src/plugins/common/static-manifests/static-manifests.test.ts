import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TestServer } from '../../../testing/index.ts';
import { startTestServer } from '../../../testing/index.ts';
import { RawClient } from '../../../../test/support/raw-client.ts';
import { until } from '../../../../test/support/eventually.ts';

const folder = mkdtempSync(join(tmpdir(), 'static-manifests-'));
after(() => rmSync(folder, { recursive: true }));

const group = 'admissionregistration.k8s.io';
const apiVersion = `${group}/v1`;

function policy(name: string, prefix: string, more: object = {}): object {
  return {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['', group], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps', 'validatingadmissionpolicies'] },
        ],
      },
      validations: [{ expression: `!object.metadata.name.startsWith("${prefix}")` }],
      ...more,
    },
  };
}

const binding = (policyName: string): object => ({
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'b.static.k8s.io' },
  spec: { policyName, validationActions: ['Deny'] },
});

let written = 0;
function manifests(...objects: readonly object[]): string {
  const directory = mkdtempSync(join(folder, 'm-'));
  writeFileSync(join(directory, `${written++}.yaml`), objects.map((object) => `---\n${JSON.stringify(object)}\n`).join(''));
  return directory;
}

function start(directory: string): Promise<TestServer> {
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyConfiguration',
    staticManifestsDir: directory,
  };
  const text = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [{ name: 'ValidatingAdmissionPolicy', configuration }],
  });
  return startTestServer({ controllers: false, admission: { configuration: text } });
}

test(
  'policies in files hold from the first request on, for policies of the API too, and follow the files',
  { timeout: 60_000 },
  async () => {
    const name = 'p.static.k8s.io';
    const directory = manifests(policy(name, 'x'), { apiVersion: 'v1', kind: 'List', items: [binding(name)] });
    await using server = await start(directory);
    await using client = new RawClient(server);
    const make = async (named: string): Promise<number> =>
      (await client.call('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata: { name: named } } })).status;
    assert.deepEqual([await make('xa'), await make('a')], [422, 201]);
    const made = await client.call('POST', `/apis/${group}/v1/validatingadmissionpolicies`, { body: policy('xp', 'y') });
    assert.equal(made.status, 422);
    assert.match(made.text, /ValidatingAdmissionPolicy 'p.static.k8s.io' with binding 'b.static.k8s.io' denied request/);
    writeFileSync(join(directory, 'broken.yaml'), 'kind: Nonsense\n');
    writeFileSync(join(directory, `${written - 1}.yaml`), JSON.stringify(policy(name, 'z')));
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(await make('xb'), 422, 'the last good ones stay');
    rmSync(join(directory, 'broken.yaml'));
    await until('objects can be made again', async () => (await make(`x${Math.random().toString(36).slice(2)}`)) === 201);
  },
);

const faults: readonly (readonly [what: string, objects: readonly object[], message: RegExp])[] = [
  ['a name that is not of files', [policy('plain', 'x')], /"plain" in file ".*" must have a name ending with ".static.k8s.io"$/],
  ['one name twice', [policy('p.static.k8s.io', 'x'), policy('p.static.k8s.io', 'y')], /duplicate name "p.static.k8s.io" found in file/],
  [
    'parameters',
    [policy('p.static.k8s.io', 'x', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } })],
    /ValidatingAdmissionPolicy "p.static.k8s.io": spec.paramKind is not supported for static manifests$/,
  ],
  [
    'a binding without its policy',
    [binding('q.static.k8s.io')],
    /binding "b.static.k8s.io" references policy "q.static.k8s.io" which does not exist in the manifest directory$/,
  ],
  [
    'another kind',
    [{ ...policy('p.static.k8s.io', 'x'), kind: 'MutatingAdmissionPolicy' }],
    /unsupported resource type \*v1.MutatingAdmissionPolicy$/,
  ],
  [
    'what the API would refuse',
    [policy('p.static.k8s.io', 'x', { validations: [] })],
    /ValidatingAdmissionPolicy "p.static.k8s.io": \[spec.validations: /,
  ],
];
for (const [what, objects, message] of faults) {
  test(`a server does not start with ${what} in its files`, async () => {
    await assert.rejects(start(manifests(...objects)), message);
  });
}
