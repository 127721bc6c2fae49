import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../base/log.ts';
import { loadPolicy, readPolicy } from './policy.ts';

const head = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
const dns = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'";

const refused: Readonly<Record<string, readonly [text: string, message: string]>> = {
  'an empty file': ['', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  'no version': ['kind: Policy', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  'a version of the past': [
    'apiVersion: audit.k8s.io/v1beta1\nkind: Policy',
    'failed decoding: no kind "Policy" is registered for version "audit.k8s.io/v1beta1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  'another kind': [
    'apiVersion: audit.k8s.io/v1\nkind: Event',
    'failed decoding: converting (v1.Event) to (audit.Policy): unknown conversion',
  ],
  'no rules': [head, 'loaded illegal policy with 0 rules'],
  'no YAML': ['a: [\n', 'failed decoding: yaml: line 1: did not find expected node content'],
  'another type': [
    `${head}rules: 3`,
    'failed decoding: json: cannot unmarshal number into Go struct field Policy.rules of type []v1.PolicyRule',
  ],
  'no level': [`${head}rules: [{users: [a]}]`, 'rules[0].level: Required value'],
  'an unknown level': [
    `${head}rules: [{level: All}]`,
    'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
  ],
  'an unknown stage': [
    `${head}omitStages: [X]\nrules: [{level: None}]`,
    'omitStages[0]: Invalid value: "X": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
  ],
  'paths that are none': [
    `${head}rules: [{level: None, nonResourceURLs: [x, "/a*b", "*"]}]`,
    '[rules[0].nonResourceURLs[0]: Invalid value: "x": non-resource URL rules must begin with a \'/\' character, rules[0].nonResourceURLs[1]: Invalid value: "/a*b": non-resource URL wildcards \'*\' must be the final character of the rule]',
  ],
  'paths and namespaces': [
    `${head}rules: [{level: None, nonResourceURLs: [/x], namespaces: [a]}]`,
    'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
  ],
  'names without resources': [
    `${head}rules: [{level: None, resources: [{resourceNames: [a]}]}]`,
    'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
  ],
};

for (const [what, [text, message]] of Object.entries(refused)) {
  test(`a policy with ${what} is refused`, () => assert.throws(() => readPolicy(Buffer.from(text), silentLogger), { message }));
}

test('a group with a version is no group', () => {
  const text = `${head}rules: [{level: None, resources: [{group: apps/v1}]}]`;
  assert.throws(
    () => readPolicy(Buffer.from(text), silentLogger),
    (error: Error) => error.message.includes(`"apps/v1": ${dns}`),
  );
});

test('fields that nobody knows are overlooked, with a warning', () => {
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (text: string) => void warnings.push(text) };
  const policy = readPolicy(Buffer.from(`${head}rules: [{level: None, odd: 1}]`), log);
  assert.deepEqual(policy.rules, [{ level: 'None' }]);
  assert.deepEqual(warnings, [
    'Audit policy contains errors, falling back to lenient decoding: strict decoding error: unknown field "rules[0].odd"',
  ]);
});

test('a policy need not say its kind', () => {
  assert.equal(readPolicy(Buffer.from('apiVersion: audit.k8s.io/v1\nrules: [{level: None}]'), silentLogger).rules?.length, 1);
});

test('a file that is not there is named', () => {
  assert.throws(() => loadPolicy('/nonexistent', silentLogger), {
    message: 'failed to read file path "/nonexistent": open /nonexistent: no such file or directory',
  });
});
