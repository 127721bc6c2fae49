/**
 * Plays requests that admission policies judge against two servers and compares their responses:
 *
 *   node test/clients/policies.ts OURS.kubeconfig REFERENCE.kubeconfig [only this case]
 *
 * Each case has a namespace of its own, labelled with its name, that its policies select. All policies are created first, because the
 * reference looks at them only once a second. Leaves everything behind: start with fresh servers.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ApiAnswer, ApiClient } from './json-client.ts';
import { connect } from './json-client.ts';
import { normalise } from './normalise.ts';
import type { PolicyCase, PolicyRequest, Step } from './policy-cases/builders.ts';
import { customResources } from './policy-cases/builders.ts';
import { factCases } from './policy-cases/facts.ts';
import { mutatingCases } from './policy-cases/mutating.ts';
import { validatingCases } from './policy-cases/validating.ts';
import { valueCases } from './policy-cases/values.ts';

const [ours, reference, only] = process.argv.slice(2);
if (ours === undefined || reference === undefined) throw new Error('give two kubeconfigs: ours and the reference');

const group = '/apis/admissionregistration.k8s.io/v1';
const patchTypes = { json: 'application/json-patch+json', merge: 'application/merge-patch+json', apply: 'application/apply-patch+yaml' };
const cases = Object.entries({ ...validatingCases, ...factCases, ...valueCases, ...mutatingCases }).filter(
  ([name]) => only === undefined || name === only,
);

async function must(client: ApiClient, path: string, body: unknown): Promise<void> {
  const answer = await client.request('POST', path, body);
  if (answer.status > 201) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
}

async function prepare(client: ApiClient): Promise<void> {
  for (const definition of customResources) await must(client, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  for (const [name, one] of cases) {
    const labels = { case: name };
    await must(client, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const { path, body } of one.before ?? []) await must(client, path.replace('{ns}', name), body);
    await createPolicies(client, name, one);
  }
  await waitForPolicies(client);
}

async function createPolicies(client: ApiClient, name: string, { policies }: PolicyCase): Promise<void> {
  for (const [index, { mutating = false, spec, bindings = [{}] }] of policies.entries()) {
    const [kind, plural] = mutating
      ? ['MutatingAdmissionPolicy', 'mutatingadmissionpolic']
      : ['ValidatingAdmissionPolicy', 'validatingadmissionpolic'];
    const policyName = `${name}-${index}`;
    const constraints = { namespaceSelector: { matchLabels: { case: name } }, ...spec.matchConstraints };
    const policy = {
      ...spec,
      matchConstraints: constraints,
      ...(mutating && { reinvocationPolicy: spec['reinvocationPolicy'] ?? 'Never' }),
    };
    const apiVersion = 'admissionregistration.k8s.io/v1';
    await must(client, `${group}/${plural}ies`, { apiVersion, kind, metadata: { name: policyName }, spec: policy });
    for (const [i, binding] of bindings.entries()) {
      const actions = mutating ? {} : { validationActions: ['Deny'] };
      const bound = { policyName, ...actions, ...binding };
      await must(client, `${group}/${plural}ybindings`, {
        apiVersion,
        kind: `${kind}Binding`,
        metadata: { name: `${policyName}-b${i}` },
        spec: JSON.parse(JSON.stringify(bound).replaceAll('{ns}', name)) as unknown,
      });
    }
  }
}

/** Whatever was created before this policy is effective once it is, or a second later. */
async function waitForPolicies(client: ApiClient): Promise<void> {
  const name = 'policies-are-effective';
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'], resourceNames: [name] },
  ];
  const spec = { matchConstraints: { resourceRules }, validations: [{ expression: 'false' }] };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  await must(client, `${group}/validatingadmissionpolicies`, { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec });
  const binding = { policyName: name, validationActions: ['Deny'] };
  const kind = 'ValidatingAdmissionPolicyBinding';
  await must(client, `${group}/validatingadmissionpolicybindings`, { apiVersion, kind, metadata: { name }, spec: binding });
  const probe = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
  for (let tries = 0; tries < 100; tries++) {
    const { status } = await client.request('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', probe);
    if (status === 422) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await new Promise((resolve) => setTimeout(resolve, 2500));
}

function send(client: ApiClient, namespace: string, step: Step): Promise<ApiAnswer> {
  const [method, path, body, patch]: PolicyRequest = step;
  const text = JSON.stringify(body)?.replaceAll('{ns}', namespace);
  const given = text === undefined ? undefined : (JSON.parse(text) as unknown);
  return client.request(method, path.replaceAll('{ns}', namespace), given, patch && patchTypes[patch]);
}

/** Who wrote what when is not what this is about. */
function shown({ status, body, warning }: ApiAnswer): unknown {
  const text = JSON.stringify(body, (key, value: unknown) => (key === 'managedFields' ? undefined : value));
  const known = JSON.parse(normalise(text).replaceAll(/\bsome-[a-z0-9]{5}\b/g, 'some-SUFFIX')) as unknown;
  return {
    status,
    warning: warning
      ?.replaceAll(/\bsome-[a-z0-9]{5}\b/g, 'some-SUFFIX')
      .split(/, (?=299 )/)
      .toSorted(),
    body: known,
  };
}

const clients = [connect(ours), connect(reference)] as const;
await Promise.all(clients.map(prepare));
let answers = 0;
let differences = 0;
for (const [name, { steps }] of cases) {
  for (const step of steps) {
    const [left, right] = (await Promise.all(clients.map((client) => send(client, name, step)))).map(shown);
    answers++;
    if (isDeepStrictEqual(left, right)) continue;
    differences++;
    console.log(`\n${name}: ${step[0]} ${step[1]}\n  ours      ${JSON.stringify(left)}\n  reference ${JSON.stringify(right)}`);
  }
}
console.log(`\n${answers} answers of ${cases.length} cases, ${differences} different`);
for (const client of clients) client.close();
process.exitCode = differences === 0 ? 0 : 1;
