import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Field, StructType, Type } from '../machinery/type-model.ts';
import { tables } from './generated/index.ts';
import { checksums } from './generated/manifest.ts';
import { createSchema } from './index.ts';
import { publishedDefault } from './published-default.ts';
import { servedGroupVersions } from './resources.ts';

const schema = createSchema();

function struct(name: string): StructType {
  const found = schema.structByName(name);
  assert.ok(found, name);
  return found;
}

function field(typeName: string, name: string): Field {
  const found = struct(typeName).byName.get(name);
  assert.ok(found, `${typeName}.${name}`);
  return found;
}

const core = 'io.k8s.api.core.v1';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

test('a kind has its fields in the order of declaration, inlined ones in place', () => {
  const pod = schema.typeOf({ group: '', version: 'v1', kind: 'Pod' });
  assert.deepEqual(
    pod?.fields.map(({ name }) => name),
    ['kind', 'apiVersion', 'metadata', 'spec', 'status'],
  );
  const volume = struct(`${core}.Volume`);
  assert.deepEqual(
    volume.fields.slice(0, 3).map(({ name }) => name),
    ['name', 'hostPath', 'emptyDir'],
  );
  assert.deepEqual(
    volume.proto.map(({ number, goName, inline }) => [number, goName, inline]),
    [
      [1, 'Name', false],
      [2, 'VolumeSource', true],
    ],
  );
});

test('fields carry what merging, defaulting and encoding need', () => {
  const ports = field(`${core}.ServiceSpec`, 'ports');
  assert.equal(ports.listType, 'map');
  assert.deepEqual(ports.listMapKeys, ['port', 'protocol']);
  assert.deepEqual(ports.patchStrategy, ['merge']);
  assert.equal(ports.patchMergeKey, 'port');
  assert.equal(field(`${core}.ServicePort`, 'protocol').default, 'TCP');
  assert.deepEqual((field(`${core}.Container`, 'imagePullPolicy').type as { enum?: unknown }).enum, ['Always', 'IfNotPresent', 'Never']);
  assert.deepEqual(field(`${core}.PodSpec`, 'volumes').patchStrategy, ['merge', 'retainKeys']);
  assert.equal(field(`${meta}.ObjectMeta`, 'creationTimestamp').omit, 'zero');
  assert.equal(field(`${core}.PodSpec`, 'containers').omit, 'never');
  assert.equal(field(`${core}.PodSpec`, 'containers').required, true);
  assert.equal(field(`${core}.PodSpec`, 'terminationGracePeriodSeconds').pointer, true);
  assert.equal(struct(`${meta}.LabelSelector`).atomic, true);
});

test('defaults are those that OpenAPI publishes, zero values included', () => {
  assert.equal(publishedDefault(field(`${core}.ContainerPort`, 'containerPort')), 0);
  assert.equal(publishedDefault(field(`${core}.ContainerPort`, 'hostPort')), undefined);
  assert.deepEqual(publishedDefault(field(`${core}.Pod`, 'spec')), {});
  assert.equal(publishedDefault(field(`${meta}.ObjectMeta`, 'creationTimestamp')), undefined);
});

test('schemas of custom resources refer to themselves', () => {
  const props = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
  const properties = props.byName.get('properties')?.type;
  assert.ok(properties?.kind === 'map' && properties.value === props);
  const items = props.byName.get('items')?.type;
  assert.ok(items?.kind === 'variant' && items.object === props && items.array?.element === props && !items.bool);
});

test('a type made from another has its own name', () => {
  const alpha = struct('io.k8s.api.admissionregistration.v1alpha1.MatchCondition');
  const stable = struct('io.k8s.api.admissionregistration.v1.MatchCondition');
  assert.deepEqual(
    alpha.fields.map(({ name }) => name),
    stable.fields.map(({ name }) => name),
  );
});

test('options and watch events are known in every group version, Status only without a group', () => {
  assert.equal(schema.typeOf({ group: 'apps', version: 'v1', kind: 'DeleteOptions' })?.name, `${meta}.DeleteOptions`);
  assert.equal(schema.typeOf({ group: '', version: 'v1', kind: 'Status' })?.name, `${meta}.Status`);
  assert.equal(schema.typeOf({ group: 'apps', version: 'v1', kind: 'Status' }), undefined);
  assert.equal(schema.typeOf({ group: 'meta.k8s.io', version: 'v1', kind: 'Table' })?.name, `${meta}.Table`);
  assert.equal(schema.listTypeOf({ group: 'apps', version: 'v1', kind: 'Deployment' })?.name, 'io.k8s.api.apps.v1.DeploymentList');
});

test('names that every object inherits are no kinds', () => {
  for (const kind of ['constructor', '__proto__', 'toString', 'Nothing']) {
    assert.equal(schema.typeOf({ group: '', version: 'v1', kind }), undefined);
    assert.equal(schema.lifecycleOf({ group: '', version: 'v1', kind }), undefined);
    assert.equal(schema.structByName(`${core}.${kind}`), undefined);
  }
});

test('every type of every table can be built', () => {
  const seen = new Set<Type>();
  const visit = (type: Type): void => {
    if (seen.has(type)) return;
    seen.add(type);
    if (type.kind === 'list') visit(type.element);
    else if (type.kind === 'map') visit(type.value);
    else if (type.kind === 'variant') visit(type.object);
    else if (type.kind === 'struct') {
      for (const { type: inner } of type.fields) visit(inner);
      assert.equal(new Set(type.proto.map(({ number }) => number)).size, type.proto.length, type.name);
    }
  };
  let kinds = 0;
  for (const gv of schema.groupVersions()) {
    for (const kind of schema.kindsOf(gv)) {
      const type = schema.typeOf({ ...gv, kind });
      assert.ok(type, kind);
      visit(type);
      kinds++;
    }
  }
  assert.ok(kinds > 300, `${kinds} kinds`);
});

test('every served resource has a type', () => {
  for (const { group, version, resources } of servedGroupVersions()) {
    for (const { kind, subresources = [] } of resources) {
      assert.ok(schema.typeOf({ group, version, kind }), `${group}/${version} ${kind}`);
      for (const sub of subresources) {
        const gvk = { group: sub.group ?? group, version: sub.version ?? version, kind: sub.kind };
        assert.ok(schema.typeOf(gvk), `${group}/${version} ${kind}/${sub.name} ${sub.kind}`);
      }
    }
  }
});

test('nodes and services are stored under their old names', () => {
  const core1 = servedGroupVersions().find(({ group }) => group === '');
  const prefixOf = (name: string): string | undefined => core1?.resources.find((resource) => resource.name === name)?.storage?.prefix;
  assert.equal(prefixOf('nodes'), 'minions');
  assert.equal(prefixOf('services'), 'services/specs');
  assert.equal(prefixOf('pods'), 'pods');
});

test('generated files are as the generator left them', () => {
  const found = ['generated', 'types'].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder)).map((name) => `${folder}/${name}`),
  );
  assert.deepEqual(found.filter((name) => name !== 'generated/manifest.ts').toSorted(), Object.keys(checksums).toSorted());
  for (const [name, checksum] of Object.entries(checksums)) {
    const text = readFileSync(join(import.meta.dirname, name));
    assert.equal(createHash('sha256').update(text).digest('hex'), checksum, `${name} was edited: run npm run generate`);
  }
  assert.ok(tables.length > 60);
});
