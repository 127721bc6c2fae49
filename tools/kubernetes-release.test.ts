import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetesVersion } from '../src/server/object/kubernetes-version.ts';
import { kubernetesRelease, modulesVersion } from './kubernetes-release.ts';

test('the server says that it is of the release which the repository follows', () => {
  const { major, minor, patch } = kubernetesVersion;
  assert.equal(`v${major}.${minor}.${patch}`, kubernetesRelease.version);
  assert.equal(modulesVersion(kubernetesRelease.version), kubernetesRelease.modules);
});
