import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typedContext } from '../../../../test/support/write-context.ts';
import { validate, validateStatus, validateUpdate } from './validation.ts';
import type { StorageVersionMigrationObject } from './validation.ts';

const context = typedContext({ group: 'storagemigration.k8s.io', version: 'v1beta1', kind: 'StorageVersionMigration' });
const condition = (name: string, status = 'True'): object => ({
  type: name,
  status,
  reason: 'Because',
  message: '',
  lastTransitionTime: '2026-01-02T03:04:05Z',
});
const migration = (status: object = {}, resource: object = { group: 'apps', resource: 'deployments' }): StorageVersionMigrationObject =>
  ({ metadata: { name: 'm' }, spec: { resource }, status }) as StorageVersionMigrationObject;

const texts = (errors: readonly unknown[]): string[] => errors.map((error) => String(error).replaceAll(/\[\{.*\}\]/g, '[...]'));

test('validate() wants a resource that can be', () => {
  assert.deepEqual(texts(validate(migration())), []);
  assert.deepEqual(texts(validate(migration({}, { group: '', resource: '' }))), [
    'spec.resource.resource: Required value: resource is required to be set',
  ]);
  assert.match(
    texts(validate(migration({}, { group: 'UPPER', resource: 'pods' })))[0] ?? '',
    /^spec\.resource\.group: Invalid value: "UPPER"/,
  );
});

test('validateUpdate() shows the spec that may not change', () => {
  assert.deepEqual(texts(validateUpdate(migration({}, { group: '', resource: 'pods' }), migration())), [
    'spec: Invalid value: {"Resource":{"group":"","resource":"pods"}}: field is immutable',
  ]);
});

const ends: readonly (readonly [what: string, before: object, after: object, errors: readonly string[]])[] = [
  ['a start', {}, { resourceVersion: '7', conditions: [condition('Running')] }, []],
  [
    'a version that is none',
    {},
    { resourceVersion: '07' },
    ['status.resourceVersion: Invalid value: "07": resource version is not well formed: 07'],
  ],
  [
    'another version',
    { resourceVersion: '7' },
    { resourceVersion: '8' },
    ['status.resourceVersion: Invalid value: "8": field is immutable'],
  ],
  [
    'two ends',
    {},
    { conditions: [condition('Succeeded'), condition('Failed')] },
    ['status.conditions: Invalid value: [...]: Both success and failed conditions cannot be true at the same time'],
  ],
  [
    'an end that is taken back',
    { conditions: [condition('Succeeded')] },
    { conditions: [condition('Succeeded', 'False')] },
    ['status.conditions: Invalid value: [...]: Success condition cannot be set to false once it is true'],
  ],
  [
    'a failure that is forgotten',
    { conditions: [condition('Failed')] },
    {},
    ['status.conditions: Invalid value: null: Failed condition cannot be set to false once it is true'],
  ],
];

for (const [what, before, after, errors] of ends) {
  test(`validateStatus() judges ${what}`, () =>
    assert.deepEqual(texts(validateStatus(migration(after), migration(before), context)), errors));
}
