// Compares verdicts on the expressions of admission policies with those of a real kube-apiserver:
//   node test/cel/policy-comparison.ts KUBECONFIG
// Expressions become validations of policies that only warn, so that one request tells the outcome of all of them.

import { adaptJson, compile, evaluate } from '../../src/cel/index.ts';
import { perCallLimit } from '../../src/cel/kubernetes/environments.ts';
import { admissionEnvironment } from '../../src/cel/kubernetes/variables.ts';
import { corpusGroup } from './corpus.ts';
import { connect } from './reference-client.ts';
import type { Verdict } from './verdicts.ts';

const chunkSize = 25;
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = `${policies.slice(0, -'ies'.length)}ybindings`;
const call = connect(process.argv[2]!);

const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: '', namespace: 'default', labels: { app: 'web', tier: 'front' } },
  data: { a: '1', b: 'two', c: 'a.b.c' },
};

const own = `
object.data.a == '1'
object.data.nope == '1'
has(object.data.nope)
object.data.all(k, object.data[k] != '')
object.data.exists(k, v, k == 'a' && v == '1')
object.metadata.labels.app + object.metadata.labels.tier == 'webfront'
object.metadata.labels.app > 1
object.metadata.labels.app + 1 == 2
int(object.data.a) == 1
int(object.data.b) == 1
object.data.c.split('.').size() == 3
object.spec.replicas > 1
object.?spec.replicas.orValue(5) == 5
object.?spec.?replicas.hasValue()
oldObject == null
request.operation == 'CREATE'
request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps'
request.namespace == 'default' && request.name == object.metadata.name
request.userInfo.groups.exists(g, g == 'system:masters')
request.userInfo.extra.size() == 0
request.dryRun
request.nope
namespaceObject.metadata.name == 'default'
namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'default'
namespaceObject.nope
authorizer.group('').resource('pods').namespace('default').check('create').allowed()
authorizer.path('/x').check('get').errored()
authorizer.path('').check('get').allowed()
object.data.map(k, k).sort() == ['a', 'b', 'c']
object.data.transformMap(k, v, v.size()).size() == 3
object.data
object.data == {'a': '1', 'b': 'two', 'c': 'a.b.c'}
type(object.data) == map
type(object.data.a) == string
size(object.data) == 3
'x' in object.data || 'a' in object.data
object.metadata.creationTimestamp != null
object.data.a.matches('[')
object.data.a.matches(object.data.b)
quantity(object.data.a).asInteger() == 1
quantity(object.data.b).asInteger() == 1
params.x == 1
variables.x == 1
`
  .trim()
  .split('\n');

const environment = admissionEnvironment('new', { hasParams: false, hasAuthorizer: true });

/** The verdict of this implementation where it needs no cluster; undefined for calls of authorizer and namespace. */
function ourVerdict(expression: string, name: string): Verdict | undefined {
  const compiled = compile(expression, environment);
  if ('issues' in compiled) return { refused: `compilation failed: ${compiled.issues}` };
  const { resultType } = 'failure' in compiled ? compiled : compiled.program;
  if (String(resultType) !== 'bool') return { refused: `must evaluate to bool but got ${String(resultType)}` };
  if ('failure' in compiled) return { refused: `instantiation failed: ${compiled.failure}` };
  if (/authorizer|namespaceObject|extra|creationTimestamp/.test(expression)) return undefined;
  const request = {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    namespace: 'default',
    name,
    dryRun: true,
    userInfo: { groups: ['system:masters', 'system:authenticated'] },
  };
  const activation = {
    object: adaptJson({ ...object, metadata: { ...object.metadata, name } }),
    oldObject: null,
    request: adaptJson(request),
  };
  const outcome = evaluate(compiled.program, activation, { limit: perCallLimit });
  if ('error' in outcome) return { error: outcome.error };
  return { outcome: outcome.value === true ? 'true' : 'false' };
}

const policy = (name: string, expressions: readonly string[]): unknown => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }] },
    matchConditions: [{ name: 'mine', expression: `object.metadata.name == '${name}'` }],
    validations: expressions.map((expression, i) => ({ expression, message: `r${i}.` })),
  },
});

const binding = (name: string): unknown => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: ['Warn'] },
});

const refusal = /(?:compilation failed: |must evaluate to bool|instantiation failed: )[^]*$/;

/** What the server refuses when the policy is created. */
async function refusals(name: string, expressions: readonly string[]): Promise<Map<number, string>> {
  const answer = await call('POST', `${policies}?dryRun=All`, policy(name, expressions));
  const refused = new Map<number, string>();
  for (const { field, message } of answer.details?.causes ?? []) {
    const index = /^spec\.validations\[(\d+)\]\.expression$/.exec(field)?.[1];
    const detail = refusal.exec(message)?.[0];
    if (index !== undefined && detail !== undefined) refused.set(Number(index), detail);
  }
  return refused;
}

const corpus = corpusGroup(0).rules.filter((rule, i) => i % 5 === 0 && rule.length < 200 && !rule.includes('a.'));
const expressions = [...new Set([...own, ...corpus])];
const running: { name: string; kept: string[] }[] = [];
const different: string[] = [];
let same = 0;

for (let from = 0; from < expressions.length; from += chunkSize) {
  const name = `p${from}`;
  const chunk = expressions.slice(from, from + chunkSize);
  const refused = await refusals(name, chunk);
  for (const [i, expression] of chunk.entries()) {
    const ours = ourVerdict(expression, name);
    const [mine, theirs] = [ours && 'refused' in ours ? ours.refused : undefined, refused.get(i)];
    if (mine !== theirs) different.push(`${expression}\n  theirs ${theirs}\n  ours   ${mine}`);
    else if (mine !== undefined) same++;
  }
  const kept = chunk.filter((_, i) => !refused.has(i));
  await call('POST', policies, policy(name, kept));
  await call('POST', bindings, binding(name));
  running.push({ name, kept });
}
await new Promise((resolve) => setTimeout(resolve, 6_000));

for (const { name, kept } of running) {
  const answer = await call('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', {
    ...object,
    metadata: { ...object.metadata, name },
  });
  const warnings = answer.warnings.join('\n');
  for (const [i, expression] of kept.entries()) {
    const ours = ourVerdict(expression, name);
    if (!ours) continue;
    const hasFailed = warnings.includes(`: r${i}.`);
    const shown = expression.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    const hasErrors = warnings.includes(`expression '${shown}' resulted in error`);
    const theirs = hasFailed ? 'false' : hasErrors ? 'error' : 'true';
    const mine = 'outcome' in ours ? ours.outcome : 'error';
    if (theirs === mine) same++;
    else different.push(`${expression}\n  theirs ${theirs}\n  ours   ${JSON.stringify(ours)}\n  ${warnings.slice(0, 300)}`);
  }
  await call('DELETE', `${policies}/${name}`);
  await call('DELETE', `${bindings}/${name}`);
}
for (const difference of different) console.log(`--- ${difference}`);
console.log(`${same} verdicts are the same, ${different.length} differ`);
process.exitCode = different.length > 0 ? 1 : 0;
