import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StorageVersionStatus } from '../../../schema/types/apiserverinternal-v1alpha1.ts';
import { validateName, validateStatus } from './validation.ts';

const server = { apiServerID: 'a', encodingVersion: 'v1', decodableVersions: ['v1'] };

test('validateName() wants a group and a resource', () => {
  assert.deepEqual(validateName('apps.deployments', false), []);
  assert.deepEqual(validateName('pods', false), ['name must be in the form of <group>.<resource>']);
  assert.deepEqual(
    validateName('UP.1x', false).map((problem) => problem.split(' ').slice(0, 3).join(' ')),
    ['the group segment', 'the resource segment'],
  );
});

const cases: readonly (readonly [what: string, status: StorageVersionStatus, errors: readonly string[]])[] = [
  ['nothing', {}, []],
  ['servers that agree', { storageVersions: [server, { ...server, apiServerID: 'b' }], commonEncodingVersion: 'v1' }, []],
  [
    'servers that agree in silence',
    { storageVersions: [server] },
    ['status.commonEncodingVersion: Invalid value: null: the common encoding version is v1'],
  ],
  [
    'one version said, another meant',
    { storageVersions: [server], commonEncodingVersion: 'v2' },
    ['status.commonEncodingVersion: Invalid value: "v2": the actual common encoding version is v1'],
  ],
  [
    'a server twice',
    { storageVersions: [server, server], commonEncodingVersion: 'v1' },
    ['status.storageVersions[1].apiServerID: Duplicate value: "a"'],
  ],
  [
    'a version that is served and cannot be read',
    { storageVersions: [{ ...server, servedVersions: ['v2'] }], commonEncodingVersion: 'v1' },
    [
      'status.storageVersions[0].servedVersions[0]: Invalid value: "v2": individual served version : v2 must be included in decodableVersions : [v1]',
    ],
  ],
  [
    'half a version',
    { storageVersions: [{ ...server, encodingVersion: 'g/', decodableVersions: ['g/'] }], commonEncodingVersion: 'g/' },
    [
      'status.storageVersions[0].encodingVersion: Invalid value: "g/": version part: must be non-empty',
      'status.storageVersions[0].decodableVersions[0]: Invalid value: "g/": version part: must be non-empty',
    ],
  ],
  [
    'a condition twice',
    {
      conditions: [
        { type: 'A', status: 'True', reason: 'r', message: 'm', lastTransitionTime: null },
        { type: 'A', status: 'True', reason: '', lastTransitionTime: null },
      ],
    },
    [
      'status[1].type: Invalid value: "A": the type of the condition is not unique, it also appears in conditions[0]',
      'status[1].reason: Required value',
      'status[1].message: Required value',
    ],
  ],
];

for (const [what, status, errors] of cases) {
  test(`validateStatus() judges ${what}`, () => {
    assert.deepEqual(validateStatus({ metadata: { name: 'a.b' }, spec: {}, status }).map(String), errors);
  });
}
