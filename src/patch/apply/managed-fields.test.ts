import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capUpdateManagers } from '../cap-managers.ts';
import { fieldSet } from './field-set.ts';
import { decodeManagedFields, encodeManagedFields, managerIdentifier } from './managed-fields.ts';
import type { Managed, ManagedFieldsEntry, Manager } from './managed-fields.ts';
import { managerOrUserAgent } from '../manager-name.ts';
import { parentManagedFields, scaleManagedFields } from '../scale-managed-fields.ts';

const valid: ManagedFieldsEntry = {
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': {} },
};

const refused: readonly { entry: ManagedFieldsEntry; message: string }[] = [
  { entry: { ...valid, operation: 'Bogus' }, message: 'operation must be `Apply` or `Update`' },
  { entry: { ...valid, apiVersion: '' }, message: 'apiVersion must not be empty' },
  { entry: { ...valid, fieldsType: '' }, message: 'missing fieldsType in managed fields entry 0' },
  { entry: { ...valid, fieldsType: 'FieldsV2' }, message: 'invalid fieldsType "FieldsV2" in managed fields entry 0' },
];

for (const { entry, message } of refused) {
  test(`decodeManagedFields() says ${message}`, () => {
    assert.throws(() => decodeManagedFields([entry]), { message });
  });
}

test('an applier keeps its identifier in every version, an updater has one per version', () => {
  const manager = { manager: 'a<b', subresource: 'status', apiVersion: 'apps/v1' };
  assert.equal(managerIdentifier({ ...manager, operation: 'Apply' }), '{"manager":"a\\u003cb","operation":"Apply","subresource":"status"}');
  assert.equal(
    managerIdentifier({ ...manager, operation: 'Update' }),
    '{"manager":"a\\u003cb","operation":"Update","apiVersion":"apps/v1","subresource":"status"}',
  );
});

test('entries are written with appliers first, then by time, then by name', () => {
  const entry = (manager: string, operation: string, time?: string) => ({
    ...valid,
    manager,
    operation,
    ...(time !== undefined && { time }),
  });
  const early = '2024-01-01T00:00:00Z';
  const late = '2024-01-02T00:00:00Z';
  const entries = [
    entry('b', 'Update', early),
    entry('c', 'Update', late),
    entry('a', 'Update', early),
    entry('z', 'Apply', late),
    entry('y', 'Apply'),
  ];
  const shown = encodeManagedFields(decodeManagedFields(entries))!.map(({ manager, operation }) => `${operation} ${manager}`);
  assert.deepEqual(shown, ['Apply y', 'Apply z', 'Update a', 'Update b', 'Update c']);
});

test('the eleventh updater makes the oldest two of a version one', () => {
  const managed: Managed = new Map();
  for (let i = 0; i < 11; i++) {
    const manager: Manager = {
      manager: `m${i}`,
      operation: 'Update',
      subresource: '',
      apiVersion: i === 0 ? 'v2' : 'v1',
      fields: fieldSet([`f:${i}`]),
      time: `2024-01-${String(i + 1).padStart(2, '0')}T00:00:00Z`,
    };
    managed.set(managerIdentifier(manager), manager);
  }
  capUpdateManagers(managed);
  assert.equal(managed.size, 10);
  const bucket = [...managed.values()].find(({ manager }) => manager === 'ancient-changes')!;
  assert.deepEqual(bucket.fields, { 'f:1': {}, 'f:2': {} });
  assert.equal(bucket.time, '2024-01-03T00:00:00Z');
  assert.ok(
    [...managed.values()].some(({ manager }) => manager === 'm0'),
    'another version is left alone',
  );
});

const agents: readonly { agent: string; manager: string }[] = [
  { agent: 'kubectl/v1.37 (linux)', manager: 'kubectl' },
  { agent: 'no slash', manager: 'no slash' },
  { agent: '', manager: '' },
  { agent: 'a\u0007b/1', manager: 'ab' },
  { agent: 'x'.repeat(200), manager: 'x'.repeat(128) },
  { agent: 'é'.repeat(100), manager: 'é'.repeat(64) },
];

for (const { agent, manager } of agents) {
  test(`the user agent ${JSON.stringify(agent.slice(0, 30))} names the manager ${JSON.stringify(manager.slice(0, 30))}`, () => {
    assert.equal(managerOrUserAgent('', agent), manager);
    assert.equal(managerOrUserAgent('given', agent), 'given');
  });
}

const replicas = new Map([['apps/v1', ['f:spec', 'f:replicas']]]);
const inParent = (manager: string, fieldsV1: unknown): ManagedFieldsEntry => ({
  manager,
  operation: 'Apply',
  apiVersion: 'apps/v1',
  time: 'T',
  fieldsType: 'FieldsV1',
  fieldsV1,
});

test('managers of the replicas own them in the scale subresource', () => {
  const parent = [inParent('a', { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } }), inParent('b', { 'f:spec': { 'f:paused': {} } })];
  assert.deepEqual(scaleManagedFields(parent, replicas), [
    { ...inParent('a', { 'f:spec': { 'f:replicas': {} } }), apiVersion: 'autoscaling/v1' },
  ]);
});

test('whoever takes the replicas through scale takes them from the manager in the resource', () => {
  const parent = [inParent('a', { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } }), inParent('b', { 'f:spec': { 'f:replicas': {} } })];
  const scale: ManagedFieldsEntry[] = [
    { ...inParent('s', { 'f:spec': { 'f:replicas': {} } }), operation: 'Update', apiVersion: 'autoscaling/v1', subresource: 'scale' },
  ];
  assert.deepEqual(parentManagedFields(parent, scale, replicas, 'apps/v1'), [
    inParent('a', { 'f:spec': { 'f:paused': {} } }),
    {
      manager: 's',
      operation: 'Update',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      subresource: 'scale',
    },
  ]);
});
