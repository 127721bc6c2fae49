import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kubernetesVersion } from '../src/server/object/kubernetes-version.ts';
import { kubernetesRelease, modulesVersion } from './kubernetes-release.ts';

test('the server says that it is of the release which the repository follows', () => {
  const { major, minor, patch } = kubernetesVersion;
  assert.equal(`v${major}.${minor}.${patch}`, kubernetesRelease.version);
  assert.equal(modulesVersion(kubernetesRelease.version), kubernetesRelease.modules);
});

test('Go programs of the repository are built with the modules of that release', () => {
  for (const path of ['test/clients/go/go.mod', 'examples/go-envtest/go.mod']) {
    const text = readFileSync(join(import.meta.dirname, '..', path), 'utf8');
    const required = Array.from(text.matchAll(/k8s\.io\/(?:api|apimachinery|client-go) (v\S+)/g), ([, version]) => version);
    assert.ok(required.length > 0, path);
    assert.deepEqual(new Set(required), new Set([kubernetesRelease.modules]), path);
  }
});
