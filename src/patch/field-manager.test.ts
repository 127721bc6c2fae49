import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../machinery/errors.ts';
import type { GroupVersionKind } from '../machinery/type-model.ts';
import { createSchema } from '../schema/index.ts';
import { fieldSet } from './apply/field-set.ts';
import { Shapes } from './apply/shape.ts';
import { FieldManager } from './field-manager.ts';
import type { FieldManagerOptions } from './field-manager.ts';
import type { ManagedFieldsEntry } from './apply/managed-fields.ts';
import type { JsonObject } from './json/json-object.ts';

const schema = createSchema();
const shapes = new Shapes();
const early = '2024-01-01T00:00:00Z';
const now = '2024-01-02T00:00:00Z';

function managerOf(gvk: GroupVersionKind, options: Partial<FieldManagerOptions> = {}): FieldManager {
  return new FieldManager({ shapes, gvk, type: schema.typeOf(gvk), ...options });
}

const configMaps = managerOf({ group: '', version: 'v1', kind: 'ConfigMap' });
const deployment = { group: 'apps', version: 'v1', kind: 'Deployment' };

function configMap(data: Record<string, string>, metadata: JsonObject = {}): JsonObject {
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', namespace: 'n', ...metadata }, data };
}

function stored(data: Record<string, string>, managedFields?: readonly ManagedFieldsEntry[], metadata: JsonObject = {}): JsonObject {
  return configMap(data, { uid: 'u', ...metadata, ...(managedFields !== undefined && { managedFields }) });
}

function entry(manager: string, operation: string, fieldsV1: unknown, time = early): ManagedFieldsEntry {
  return { manager, operation, apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1 };
}

function managersOf(object: JsonObject): ManagedFieldsEntry[] | undefined {
  return (object['metadata'] as JsonObject)['managedFields'] as ManagedFieldsEntry[] | undefined;
}

function updated(
  live: JsonObject | undefined,
  next: JsonObject,
  manager = 'm',
  more: { reset?: boolean } = {},
): ManagedFieldsEntry[] | undefined {
  configMaps.update({ live, next, manager, now, ...more });
  return managersOf(next);
}

test('a create owns all that it sets, and not what every object has', () => {
  const fields = { 'f:data': { '.': {}, 'f:b': {}, 'f:c': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } } };
  assert.deepEqual(updated(undefined, configMap({ c: '1', b: '2' }, { labels: { x: 'y' }, creationTimestamp: now })), [
    entry('m', 'Update', fields, now),
  ]);
});

test('a create without a manager is by unknown', () => {
  assert.equal(updated(undefined, configMap({ a: '1' }), '')![0]!.manager, 'unknown');
});

test('an update takes what it changes from its manager, and leaves the rest with its time', () => {
  const live = stored({ a: '1', b: '1' }, [entry('x', 'Apply', { 'f:data': { 'f:a': {}, 'f:b': {} } })]);
  assert.deepEqual(updated(live, stored({ a: '2', b: '1' })), [
    entry('x', 'Apply', { 'f:data': { 'f:b': {} } }),
    entry('m', 'Update', { 'f:data': { 'f:a': {} } }, now),
  ]);
});

test('an update without effect changes no manager and no time', () => {
  const live = stored({ a: '1' }, [entry('m', 'Update', { 'f:data': { '.': {}, 'f:a': {} } })]);
  assert.deepEqual(updated(live, stored({ a: '1' })), managersOf(live));
});

test('an object that nobody manages stays so when it is updated', () => {
  assert.equal(updated(stored({ a: '1' }), stored({ a: '2' })), undefined);
});

const resets: readonly { name: string; next: JsonObject; reset?: boolean }[] = [
  { name: '[{}]', next: stored({ a: '1' }, [{}]) },
  { name: '[]', next: stored({ a: '1' }, []) },
  { name: '[] that decoding left out', next: stored({ a: '1' }), reset: true },
];

for (const { name, next, reset } of resets) {
  test(`managedFields of ${name} in an update forget all managers`, () => {
    const live = stored({ a: '1' }, [entry('x', 'Apply', { 'f:data': { 'f:a': {} } })]);
    assert.equal(updated(live, next, 'm', reset === undefined ? {} : { reset }), undefined);
  });
}

test('managers that an update states replace those of the object; broken ones do not', () => {
  const live = stored({ a: '1' }, [entry('x', 'Apply', { 'f:data': { 'f:a': {} } })]);
  const stated = [entry('y', 'Update', { 'f:data': { 'f:a': {} } })];
  assert.deepEqual(updated(live, stored({ a: '1' }, stated)), stated);
  assert.deepEqual(updated(live, stored({ a: '1' }, [entry('y', 'Bogus', {})])), managersOf(live));
});

test('a subresource does not take managers from the request, and puts its name into the entry', () => {
  const status = managerOf(deployment, { subresource: 'status', resetFields: new Map([['apps/v1', fieldSet(['f:spec'])]]) });
  const object = (replicas: number, ready: number, managedFields: unknown[]): JsonObject => ({
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name: 'd', uid: 'u', managedFields },
    spec: { replicas },
    status: { readyReplicas: ready },
  });
  const kept = { ...entry('x', 'Apply', { 'f:spec': { 'f:replicas': {} } }), apiVersion: 'apps/v1' };
  const next = object(2, 1, []);
  status.update({ live: object(1, 0, [kept]), next, manager: 'm', now });
  assert.deepEqual(managersOf(next), [
    kept,
    { ...entry('m', 'Update', { 'f:status': { 'f:readyReplicas': {} } }, now), apiVersion: 'apps/v1', subresource: 'status' },
  ]);
});

test('where the managers of a write cannot be told, those of the object stay', () => {
  const accounts = managerOf({ group: '', version: 'v1', kind: 'ServiceAccount' });
  const account = (metadata: JsonObject): JsonObject => ({ kind: 'ServiceAccount', apiVersion: 'v1', metadata, secrets: [{}] });
  const created = account({ name: 'a' });
  accounts.update({ live: undefined, next: created, manager: 'm', now });
  assert.equal(managersOf(created), undefined);
  const entries = [entry('x', 'Update', { 'f:secrets': {} })];
  const next = account({ name: 'a', uid: 'u', labels: { a: 'b' } });
  accounts.update({ live: account({ name: 'a', uid: 'u', managedFields: entries }), next, manager: 'm', now });
  assert.deepEqual(managersOf(next), entries);
});

test('managers speak their own version; those of a version that is gone are forgotten', () => {
  const type = schema.typeOf({ group: '', version: 'v1', kind: 'ConfigMap' })!;
  const versions = {
    typeOf: (apiVersion: string) => (apiVersion === 'v1alpha1' ? type : undefined),
    convert: (object: JsonObject, apiVersion: string): JsonObject => {
      const data = Object.fromEntries(Object.entries(object['data'] as JsonObject).map(([name, value]) => [`old-${name}`, value]));
      return { ...object, apiVersion, data };
    },
  };
  const manager = managerOf({ group: '', version: 'v1', kind: 'ConfigMap' }, { versions });
  const old = { ...entry('old', 'Apply', { 'f:data': { 'f:old-a': {}, 'f:old-b': {} } }), apiVersion: 'v1alpha1' };
  const gone = { ...entry('gone', 'Apply', { 'f:data': { 'f:b': {} } }), apiVersion: 'v0' };
  const next = stored({ a: '2', b: '1' });
  manager.update({ live: stored({ a: '1', b: '1' }, [old, gone]), next, manager: 'm', now });
  assert.deepEqual(managersOf(next), [
    { ...old, fieldsV1: { 'f:data': { 'f:old-b': {} } } },
    entry('m', 'Update', { 'f:data': { 'f:a': {} } }, now),
  ]);
});

test('a list that became atomic is owned as a whole', () => {
  const live = {
    ...stored({}),
    metadata: {
      name: 'a',
      uid: 'u',
      managedFields: [entry('x', 'Apply', { 'f:metadata': { 'f:managedFields': { 'f:x': {} }, 'f:labels': { 'f:a': {} } } })],
    },
  };
  const next = { ...stored({ a: '1' }), metadata: { name: 'a', uid: 'u' } };
  assert.deepEqual(updated(live, next)![0]!.fieldsV1, { 'f:metadata': { 'f:labels': { 'f:a': {} } } });
});

function apply(live: JsonObject | undefined, data: Record<string, unknown>, options: { manager?: string; force?: boolean } = {}) {
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data };
  return configMaps.apply({ live, config, manager: options.manager ?? 'm', force: options.force ?? false, now });
}

test('the first apply to an object that nobody manages gives what is there to before-first-apply', () => {
  const applied = apply(stored({ a: '1', b: '1' }), { a: '1' });
  assert.deepEqual(managersOf(applied.object), [
    { manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { 'f:a': {} } } },
    entry('before-first-apply', 'Update', { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } }, now),
  ]);
  assert.ok(applied.unchanged);
});

test('what is not applied any more goes, unless another owns it', () => {
  const live = stored({ a: '1', b: '1', c: '1' }, [
    entry('m', 'Apply', { 'f:data': { 'f:a': {}, 'f:b': {} } }),
    entry('x', 'Update', { 'f:data': { 'f:b': {}, 'f:c': {} } }),
  ]);
  const { object, unchanged } = apply(live, { d: '1' });
  assert.deepEqual(object['data'], { b: '1', c: '1', d: '1' });
  assert.ok(!unchanged);
});

const conflicts: readonly { managed: ManagedFieldsEntry[]; message: string; causes: number }[] = [
  {
    managed: [entry('kubectl-client-side-apply', 'Update', { 'f:data': { 'f:a': {} } })],
    message: 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.a',
    causes: 1,
  },
  {
    managed: [
      { ...entry('x', 'Apply', { 'f:data': { 'f:a': {} } }), subresource: 'status' },
      entry('y', 'Update', { 'f:data': { 'f:a': {}, 'f:b': {} } }),
    ],
    message:
      'Apply failed with 3 conflicts: conflicts with "x" with subresource "status":\n- .data.a\nconflicts with "y" using v1:\n- .data.a\n- .data.b',
    causes: 3,
  },
];

for (const { managed, message, causes } of conflicts) {
  test(`an apply is refused: ${JSON.stringify(message)}; by force it is not`, () => {
    const live = stored({ a: '1', b: '1' }, managed);
    assert.throws(
      () => apply(live, { a: '2', b: '2' }),
      (error) =>
        error instanceof ApiError && error.code === 409 && error.message === message && error.status.details?.causes?.length === causes,
    );
    assert.deepEqual(managersOf(apply(live, { a: '2', b: '2' }, { force: true }).object), [
      entry('m', 'Apply', { 'f:data': { 'f:a': {}, 'f:b': {} } }, now),
    ]);
  });
}

test('kubectl takes over what it set by client-side apply, and keeps that annotation up to date', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const last = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } });
  const live = stored({ a: '1', b: '1' }, [entry('kubectl-client-side-apply', 'Update', { 'f:data': { 'f:a': {}, 'f:b': {} } })], {
    annotations: { [annotation]: last },
  });
  const { object } = apply(live, { a: '2' }, { manager: 'kubectl' });
  const { annotations } = object['metadata'] as { annotations: Record<string, string> };
  assert.equal(annotations[annotation], '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"a"}}\n');
  assert.throws(() => apply(live, { a: '2', b: '2' }, { manager: 'kubectl' }), /1 conflict: .*\.data\.b$/);
  assert.throws(() => apply(live, { a: '2' }, { manager: 'other' }), /1 conflict/);
});

const refused: readonly { config: JsonObject; message: string; code?: number }[] = [
  { config: { apiVersion: 'v2', kind: 'ConfigMap' }, code: 400, message: 'invalid object type: /v2, Kind=ConfigMap' },
  { config: {}, code: 400, message: 'invalid object type: /, Kind=' },
  {
    config: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', managedFields: [] } },
    code: 400,
    message: 'metadata.managedFields must be nil',
  },
  {
    config: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, zzz: 1 },
    message: 'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .zzz: field not declared in schema',
  },
  {
    config: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 1 } },
    message:
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:1}',
  },
  {
    config: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', finalizers: ['x', 'x'] }, data: ['x'] },
    message: [
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): errors:',
      '  .data: expected map, got &{[x]}',
      '  .metadata.finalizers: duplicate entries for key [="x"]',
    ].join('\n'),
  },
  {
    config: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ownerReferences: [null] }, immutable: 'x' },
    message: [
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): errors:',
      '  .immutable: expected boolean, got &{x}',
      '  .metadata.ownerReferences: element 0: associative list with keys may not have a null element',
    ].join('\n'),
  },
];

for (const { config, message, code } of refused) {
  test(`apply of ${JSON.stringify(config)} is refused: ${message}`, () => {
    assert.throws(
      () => configMaps.apply({ live: undefined, config, manager: 'm', force: false, now }),
      (error: Error) => error.message === message && (error instanceof ApiError ? error.code : undefined) === code,
    );
  });
}

test('names that JavaScript gives a meaning are names like any other', () => {
  const data = JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}') as Record<string, string>;
  const fields = { 'f:data': { '.': {}, 'f:__proto__': {}, 'f:constructor': {}, 'f:toString': {} } };
  assert.deepEqual(updated(undefined, configMap(data))![0]!.fieldsV1, fields);
  const { object } = apply(stored({ constructor: '2' } as unknown as Record<string, string>), data, { force: true });
  assert.deepEqual(Object.entries(object['data'] as JsonObject).toSorted(), Object.entries(data).toSorted());
  const live = stored(data, [entry('x', 'Update', fields)]);
  assert.deepEqual(updated(live, stored({ constructor: '2' } as unknown as Record<string, string>))![0]!.fieldsV1, {
    'f:data': { '.': {}, 'f:constructor': {} },
  });
});

test('owners are worked out in steps, to the same end', () => {
  const data = { a: '1', b: '2' };
  const live = stored({ a: '0' }, [entry('other', 'Update', { 'f:data': { '.': {}, 'f:a': {} } })]);
  const [atOnce, inSteps] = [configMap(data), configMap(data)];
  configMaps.update({ live, next: atOnce, manager: 'm', now });
  let pauses = 0;
  for (const _ of configMaps.updating({ live, next: inSteps, manager: 'm', now })) pauses++;
  assert.ok(pauses >= 6, `${pauses} pauses`);
  assert.deepEqual(inSteps, atOnce);

  const apply = { live, config: configMap(data), manager: 'm', force: true, now };
  const steps = configMaps.applying(apply);
  let step = steps.next();
  for (pauses = 0; step.done !== true; step = steps.next()) pauses++;
  assert.ok(pauses >= 7, `${pauses} pauses`);
  assert.deepEqual(step.value, configMaps.apply(apply));
});
