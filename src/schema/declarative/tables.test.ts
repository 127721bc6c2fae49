import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tables } from '../generated/index.ts';
import { createSchema } from '../index.ts';
import { DeclarativeRules } from './declarative-rules.ts';
import { RuleCompiler } from './rule-compiler.ts';

const schema = createSchema();
const structs = tables.flatMap(({ package: name, text }) =>
  Object.keys((JSON.parse(text) as { types: object }).types).flatMap((type) => schema.structByName(`${name}.${type}`) ?? []),
);
const allOn = (): boolean => true;

test('every marker of every type is understood', () => {
  const compiler = new RuleCompiler((value) => JSON.stringify(value));
  for (const type of structs) assert.doesNotThrow(() => compiler.struct(type), type.name);
});

test('it is known beforehand which kinds have rules that may be binding', () => {
  const ruled = (group: string, version: string, kind: string): boolean | undefined => schema.typeOf({ group, version, kind })?.ruled;
  for (const kind of ['ConfigMap', 'Secret', 'Service', 'Namespace', 'Endpoints']) assert.equal(ruled('', 'v1', kind), false, kind);
  assert.equal(ruled('', 'v1', 'ReplicationController'), true);
  assert.equal(ruled('resource.k8s.io', 'v1', 'ResourceClaim'), true);
});

test('a kind that has nothing but declared rules', () => {
  const type = schema.typeOf({ group: 'scheduling.k8s.io', version: 'v1beta1', kind: 'Workload' });
  assert.ok(type);
  const rules = new DeclarativeRules((value) => JSON.stringify(value));
  const podGroupTemplates = [
    { name: 'a', schedulingPolicy: { gang: { minCount: 0 } } },
    { name: 'B', schedulingPolicy: {} },
  ];
  const errors = rules.validate(type, { metadata: {}, spec: { podGroupTemplates } }, undefined, allOn).map(String);
  assert.deepEqual(errors, [
    'spec.podGroupTemplates[0].schedulingPolicy.gang.minCount: Required value',
    `spec.podGroupTemplates[1].name: Invalid value: "B": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
    'spec.podGroupTemplates[1].schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`',
  ]);
});

test('rules that are code are among the declared ones', () => {
  const type = schema.structByName('io.k8s.api.core.v1.EvictionResponder');
  assert.ok(type);
  const rules = new DeclarativeRules((value) => JSON.stringify(value));
  const errors = (name: string, priority: number): string[] => rules.validate(type, { name, priority }, undefined, allOn).map(String);
  assert.deepEqual(errors('example.com/x', 1000), []);
  assert.deepEqual(errors('Sub.K8s.io./x', 999).slice(0, 1), [
    'name: Invalid value: "Sub.K8s.io./x": domain names *.k8s.io, *.kubernetes.io are reserved',
  ]);
  assert.deepEqual(errors('kubernetes.io/x', 999), [
    'name: Invalid value: "kubernetes.io/x": domain names *.k8s.io, *.kubernetes.io are reserved',
    'priority: Invalid value: 999: priorities 0-999 are reserved for responders with *.k8s.io suffix',
  ]);
});
