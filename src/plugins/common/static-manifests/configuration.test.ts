import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStaticConfiguration } from './configuration.ts';
import { documentsOf } from './manifest-files.ts';

const kind = 'WebhookAdmissionConfiguration';
const read = (said: object, gate = true): unknown =>
  readStaticConfiguration({ apiVersion: 'apiserver.config.k8s.io/v1', kind, ...said }, kind, ['kubeConfigFile', 'staticManifestsDir'], {
    enabled: () => gate,
  });

const faults: readonly (readonly [said: object, message: string, gate?: boolean])[] = [
  [{ kubeConfigFile: 'k' }, 'kubeConfigFile: Invalid value: "k": must be an absolute file path'],
  [{ staticManifestsDir: 'd' }, 'staticManifestsDir: Invalid value: "d": must be an absolute file path'],
  [
    { staticManifestsDir: '/no/such' },
    'staticManifestsDir: Invalid value: "/no/such": unable to read: stat /no/such: no such file or directory',
  ],
  [{ staticManifestsDir: import.meta.filename }, `staticManifestsDir: Invalid value: "${import.meta.filename}": must be a directory`],
  [
    { staticManifestsDir: '/' },
    'staticManifestsDir: Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled',
    false,
  ],
  [{ staticManifestDir: '/' }, 'strict decoding error: unknown field "staticManifestDir"'],
  [{ kind: 'Other' }, 'no kind "Other" is registered for version "apiserver.config.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"'],
];
for (const [said, message, gate] of faults) {
  test(`a configuration that says ${JSON.stringify(said)} is refused`, () => assert.throws(() => read(said, gate), { message }));
}

test('documents of a file are divided by lines of three dashes', () => {
  const text = '---\na: 1\n---  \n\n--- \nb: |\n  ---x\n';
  assert.deepEqual(documentsOf({ path: 'f', text }), ['a: 1', 'b: |\n  ---x']);
});
