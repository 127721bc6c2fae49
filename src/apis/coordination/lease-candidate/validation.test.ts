import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LeaseCandidateSpec } from '../../../schema/types/coordination-v1beta1.ts';
import { compareSemanticVersions, parseSemanticVersion } from './semantic-version.ts';
import type { SemanticVersion } from './semantic-version.ts';
import { validate, validateUpdate } from './validation.ts';

test('compareSemanticVersions() follows the precedence of semver.org', () => {
  const inOrder = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.10',
    '1.2.0',
  ];
  const versions = inOrder.map((text) => parseSemanticVersion(text) as SemanticVersion);
  for (const [index, version] of versions.slice(1).entries()) {
    assert.ok(compareSemanticVersions(versions[index] as SemanticVersion, version) < 0, `${inOrder[index]} < ${inOrder[index + 1]}`);
  }
  assert.equal(compareSemanticVersions(versions[6] as SemanticVersion, parseSemanticVersion('1.0.0+build') as SemanticVersion), 0);
});

test('parseSemanticVersion() refuses what is almost a version', () => {
  for (const text of ['', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-01', '1.2.3+', '1.2.3 '])
    assert.equal(parseSemanticVersion(text), undefined, text);
});

const candidate = (changes: Partial<LeaseCandidateSpec> = {}): Parameters<typeof validate>[0] => ({
  metadata: { name: 'c' },
  spec: { leaseName: 'l', binaryVersion: '1.2.3', emulationVersion: '1.2.0', strategy: 'OldestEmulationVersion', ...changes },
});

const cases: readonly (readonly [what: string, changes: Partial<LeaseCandidateSpec>, errors: readonly string[]])[] = [
  ['a candidate', {}, []],
  [
    'nothing',
    { leaseName: '', binaryVersion: '', emulationVersion: '', strategy: '' },
    ['spec.leaseName: Required value', 'spec.binaryVersion: Required value', 'spec.strategy: Required value'],
  ],
  [
    'a binary that emulates the future',
    { emulationVersion: '1.3.0' },
    ['spec.binaryVersion: Invalid value: "1.2.3": must be greater than or equal to `emulationVersion`'],
  ],
  [
    'a strategy that nobody knows',
    { strategy: 'Newest' },
    ['spec.strategy.strategy: Unsupported value: "Newest": supported values: "OldestEmulationVersion"'],
  ],
  [
    'a strategy that misses what it compares',
    { emulationVersion: '' },
    ["spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'"],
  ],
];

for (const [what, changes, errors] of cases) {
  test(`validate() judges ${what}`, () => assert.deepEqual(validate(candidate(changes)).map(String), errors));
}

test('validateUpdate() keeps a candidate with its lease', () => {
  assert.deepEqual(validateUpdate(candidate({ leaseName: 'other' }), candidate()).map(String), [
    'spec.leaseName: Invalid value: "other": field is immutable',
  ]);
});
