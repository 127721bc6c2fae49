import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchema } from '../schema/index.ts';
import { servedGroupVersions } from '../schema/resources.ts';
import { emulatedApis, storageVersions } from './emulated-apis.ts';
import { ownVersion, versionProblems } from './effective-version.ts';
import { createFeatureGates, featuresAt } from './feature-gates.ts';
import { withRemovedApis } from './removed-apis.ts';

const schema = createSchema();
const all = servedGroupVersions();
const at = (emulation: number): typeof ownVersion => ({ ...ownVersion, emulation, minCompatibility: emulation - 1 });
const introduced = (group: string, version: string, kind: string): number =>
  Number(schema.lifecycleOf({ group, version, kind })?.introduced?.split('.')[1] ?? 0);

function names(apis: typeof all): Set<string> {
  return new Set(apis.flatMap(({ group, version, resources }) => resources.map(({ name }) => `${group}/${version}/${name}`)));
}

test('storage versions of this release follow from when kinds were introduced', () => {
  const stored = storageVersions(all, ownVersion, introduced);
  for (const { resources } of all) for (const resource of resources) assert.deepEqual(stored(resource), resource);
});

test('a release that is emulated lacks what came later, and stores what those before it can read', () => {
  const now = names(all);
  const gone = (emulation: number): string[] => [...now.difference(names(emulatedApis(all, at(emulation), new Map(), schema)))].toSorted();
  assert.ok(gone(36).includes('certificates.k8s.io/v1/podcertificaterequests'));
  assert.ok(!gone(36).includes('admissionregistration.k8s.io/v1/mutatingadmissionpolicies'));
  assert.ok(gone(35).includes('admissionregistration.k8s.io/v1/mutatingadmissionpolicies'));
  const policies = emulatedApis(all, at(36), new Map(), schema)
    .find(({ group, version }) => group === 'admissionregistration.k8s.io' && version === 'v1')
    ?.resources.find(({ name }) => name === 'mutatingadmissionpolicies');
  assert.equal(policies?.storage?.version, 'v1beta1');
  assert.equal(emulatedApis(all, ownVersion, new Map(), schema), all);
});

test('what is newer is served where that is asked for', () => {
  const policies = 'admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
  const version = at(35);
  assert.ok(names(emulatedApis(all, { ...version, forwardCompatible: true }, new Map(), schema)).has(policies));
  const asked = new Map([[policies, true]]);
  assert.ok(names(emulatedApis(all, { ...version, forwardCompatibleByName: true }, asked, schema)).has(policies));
  assert.throws(() => emulatedApis(all, version, asked, schema), {
    message:
      'cannot enable resource admissionregistration.k8s.io/v1, Resource=mutatingadmissionpolicies in runtime-config because it is introduced at 1.36 after the current version 1.35. Consider setting --runtime-config-emulation-forward-compatible=true',
  });
});

test('feature gates are those of the release that is emulated', () => {
  // 216 and 187 gates, and the two that switch whole stages, as the reference shows them.
  assert.deepEqual([Object.keys(featuresAt(at(36))).length, Object.keys(featuresAt(at(35))).length], [216, 187]);
  assert.throws(() => createFeatureGates(new Map([['', ['EvictionRequestAPI=true']]]), at(36)), {
    message:
      'cannot set feature gate EvictionRequestAPI to true, feature is PreAlpha at emulated version 1.36, min compatibility version 1.35',
  });
});

test('versions have to be in range', () => {
  assert.deepEqual(versionProblems({ emulation: 36, minCompatibility: 35 }), []);
  assert.deepEqual(versionProblems({ emulation: 30, minCompatibility: 34 }), [
    'emulation version 1.30 is not between [1.34, 1.37.0]',
    'minCompatibilityVersion version 1.34 is not between [1.34, 1.30]',
  ]);
});

test('what a release takes away is served while an earlier one is emulated, or once more where that is asked for', () => {
  const more = (emulation: number, servesRemoved = false): string[] => [
    ...names(withRemovedApis(all, { emulation, servesRemoved })).difference(names(all)),
  ];
  const gone = [
    'certificates.k8s.io/v1alpha1/clustertrustbundles',
    'networking.k8s.io/v1beta1/ipaddresses',
    'networking.k8s.io/v1beta1/servicecidrs',
    'storage.k8s.io/v1beta1/volumeattributesclasses',
  ];
  assert.deepEqual(more(37), []);
  assert.deepEqual(more(37, true).toSorted(), gone);
  assert.deepEqual(more(36).toSorted(), gone);
  assert.deepEqual(more(34, true).toSorted(), [
    'admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies',
    'admissionregistration.k8s.io/v1beta1/validatingadmissionpolicybindings',
    ...gone,
  ]);
  // lifecycles in the schema say the same
  for (const { group, version, resources } of withRemovedApis(all, { emulation: 36 })) {
    for (const { name, kind } of resources) {
      const removed = Number(schema.lifecycleOf({ group, version, kind })?.removed?.split('.')[1] ?? Infinity);
      assert.equal(removed <= 37, gone.includes(`${group}/${version}/${name}`), `${group}/${version}/${name}`);
    }
  }
  const versions = (group: string): (readonly [string, number | undefined])[] =>
    withRemovedApis(all, { emulation: 36 })
      .filter((one) => one.group === group)
      .map(({ version, versionPriority }) => [version, versionPriority]);
  assert.deepEqual(versions('certificates.k8s.io'), [
    ['v1', 15],
    ['v1beta1', 9],
    ['v1alpha1', 1],
  ]);
});
