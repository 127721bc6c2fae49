import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServedGroupVersion } from '../schema/resources.ts';
import { servedGroupVersions } from '../schema/resources.ts';
import { enabledApis, unservedKinds } from './api-enablement.ts';

const all = servedGroupVersions();

function enabled(preferences: Readonly<Record<string, boolean>>, gates: readonly string[] = []): readonly ServedGroupVersion[] {
  const features = { enabled: (name: string) => gates.includes(name) };
  return enabledApis(all, new Map(Object.entries(preferences)), features, { warn: () => {} });
}

function versionsOf(group: string, served: readonly ServedGroupVersion[]): string[] {
  return served.filter((one) => one.group === group).map(({ version }) => version);
}

const cases: readonly (readonly [preferences: Readonly<Record<string, boolean>>, group: string, versions: readonly string[]])[] = [
  [{}, 'resource.k8s.io', ['v1']],
  [{ 'api/beta': true }, 'resource.k8s.io', ['v1', 'v1beta2', 'v1beta1']],
  [{ 'api/all': true }, 'resource.k8s.io', ['v1', 'v1beta2', 'v1beta1', 'v1alpha3']],
  [{ 'api/all': true, 'api/alpha': false }, 'resource.k8s.io', ['v1', 'v1beta2', 'v1beta1']],
  [{ 'api/all': false, 'resource.k8s.io/v1beta1': true }, 'resource.k8s.io', ['v1beta1']],
  [{ 'resource.k8s.io/v1beta1/deviceclasses': true }, 'resource.k8s.io', ['v1', 'v1beta1']],
  [{ 'resource.k8s.io/v1beta1/nothings': true }, 'resource.k8s.io', ['v1']],
  [{ '/v1': false }, '', []],
];
for (const [preferences, group, versions] of cases) {
  test(`${JSON.stringify(preferences)} serves ${versions.join(', ') || 'nothing'} of ${group || 'core'}`, () => {
    assert.deepEqual(versionsOf(group, enabled(preferences)), versions);
  });
}

test('a single resource can be served or left out', () => {
  const names = (preferences: Readonly<Record<string, boolean>>, version: string): string[] =>
    enabled(preferences)
      .filter((one) => one.group === 'resource.k8s.io' && one.version === version)
      .flatMap(({ resources }) => resources.map(({ name }) => name));
  assert.deepEqual(names({ 'resource.k8s.io/v1beta1/deviceclasses': true }, 'v1beta1'), ['deviceclasses']);
  assert.ok(!names({ 'resource.k8s.io/v1/deviceclasses': false }, 'v1').includes('deviceclasses'));
});

test('some resources need their feature gate as well', () => {
  const preferences = { 'scheduling.k8s.io/v1beta1': true };
  assert.deepEqual(versionsOf('scheduling.k8s.io', enabled(preferences)), ['v1']);
  assert.deepEqual(versionsOf('scheduling.k8s.io', enabled(preferences, ['GenericWorkload'])), ['v1', 'v1beta1']);
});

test('kinds that are switched off in all their versions are known all the same', () => {
  const namesOf = (preferences: Readonly<Record<string, boolean>>): string[] =>
    unservedKinds(all, enabled(preferences, ['ClusterTrustBundle', 'PodCertificateRequest', 'StorageVersionMigrator'])).flatMap(
      ({ group, resources }) => resources.map(({ name }) => `${group}/${name}`),
    );
  assert.deepEqual(namesOf({}), []);
  assert.deepEqual(namesOf({ 'policy/v1': false }), ['policy/poddisruptionbudgets']);
  assert.deepEqual(namesOf({ 'storage.k8s.io/v1/volumeattributesclasses': false }), ['storage.k8s.io/volumeattributesclasses']);
  assert.deepEqual(namesOf({ 'resource.k8s.io/v1/deviceclasses': false, 'resource.k8s.io/v1beta1': true }), []);
});
