import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadEncryption } from './encryption.ts';

const head = 'kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1\n';

/** What upstream says of each file (FILE: its quoted path). */
const refusals: readonly { name: string; file: string; message: string }[] = [
  {
    name: 'across',
    file: `${head}resources:
- resources: ["secrets.*"]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while parsing file: resources[0].resources[0]: Invalid value: "secrets.*": encrypting the same resource across groups is not supported`,
  },
  {
    name: 'bad-base64',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - aesgcm: {keys: [{name: a, secret: "???"}]}
`,
    message: `error while parsing file: resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded`,
  },
  {
    name: 'bad-length',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - aesgcm: {keys: [{name: a, secret: YWJj}]}
`,
    message: `error while parsing file: resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 3, expected one of [16 24 32]`,
  },
  {
    name: 'capital',
    file: `${head}resources:
- resources: [Secrets]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while parsing file: resources[0].resources[0]: Invalid value: "Secrets": resource name should not contain capital letters`,
  },
  {
    name: 'duplicate',
    file: `${head}resources:
- resources: [secrets, secrets]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while parsing file: resources[0].resources: Invalid value: ["secrets","secrets"]: the same resource cannot be specified multiple times`,
  },
  {
    name: 'empty-list',
    file: `${head}resources:
- resources: []
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while parsing file: resources[0].resources: Required value: at least one resources[0].resources is required`,
  },
  {
    name: 'empty-provider',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - {}
`,
    message: `error while parsing file: resources[0].providers[0]: Invalid value: {"AESGCM":null,"AESCBC":null,"Secretbox":null,"Identity":null,"KMS":null}: provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity`,
  },
  {
    name: 'events',
    file: `${head}resources:
- resources: ["*.events.k8s.io"]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while parsing file: resources[0].resources[0]: Invalid value: "*.events.k8s.io": '*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file`,
  },
  {
    name: 'extensions',
    file: `${head}resources:
- resources: [ingresses.extensions]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while parsing file: resources[0].resources[0]: Invalid value: "ingresses.extensions": 'extensions' group has been removed and cannot be used for encryption`,
  },
  {
    name: 'kms-bad',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - kms: {apiVersion: v2, name: "a:b", endpoint: "http://x", timeout: 0s, cachesize: 5}
`,
    message: `error while parsing file: [resources[0].providers[0].kms.name: Invalid value: "a:b": invalid KMS provider name a:b, must not contain ':', resources[0].providers[0].kms.timeout: Invalid value: "0s": timeout should be a positive value, resources[0].providers[0].kms.endpoint: Invalid value: "http://x": unsupported scheme "http" for KMS provider, only unix is supported, resources[0].providers[0].kms.cachesize: Invalid value: 5: cachesize is not supported in v2]`,
  },
  {
    name: 'kms-dup',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - kms: {apiVersion: v2, name: a, endpoint: "unix:///tmp/nope.sock"}
  - kms: {apiVersion: v2, name: a, endpoint: "unix:///tmp/nope.sock"}
`,
    message: `error while parsing file: resources[0].providers[1].kms.name: Invalid value: "a": duplicate KMS provider name a, names must be unique`,
  },
  {
    name: 'kms-duration',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - kms: {apiVersion: v2, name: a, endpoint: "unix:///tmp/nope.sock", timeout: soon}
`,
    message: `error while parsing file: error decoding encryption provider configuration file FILE: time: invalid duration "soon"`,
  },
  {
    name: 'kms-noname',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - kms: {apiVersion: v2, endpoint: ""}
`,
    message: `error while parsing file: [resources[0].providers[0].kms.name: Required value: name is a mandatory field for a provider, resources[0].providers[0].kms.endpoint: Invalid value: "": endpoint is a mandatory field for a kms]`,
  },
  {
    name: 'kms-v1',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - kms: {name: a, endpoint: "unix:///tmp/nope.sock"}
`,
    message: `error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.`,
  },
  {
    name: 'kms-v3',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - kms: {apiVersion: v3, name: a, endpoint: "unix:///tmp/nope.sock"}
`,
    message: `error while parsing file: resources[0].providers[0].kms.apiVersion: Invalid value: "v3": unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported`,
  },
  {
    name: 'masked',
    file: `${head}resources:
- resources: ["*.apps"]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
- resources: [deployments.apps]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while building transformers: resource "deployments.apps" is masked by earlier rule "*.apps"`,
  },
  {
    name: 'masked-all',
    file: `${head}resources:
- resources: ["*.*"]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
- resources: [secrets]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while building transformers: resource "secrets" is masked by earlier rule "*.*"`,
  },
  {
    name: 'masked-core',
    file: `${head}resources:
- resources: ["*."]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
- resources: [secrets]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while building transformers: resource "secrets" is masked by earlier rule "*."`,
  },
  {
    name: 'no-keys',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - aesgcm: {keys: []}
`,
    message: `error while parsing file: resources[0].providers[0].aesgcm.keys: Required value: at least one keys is required`,
  },
  {
    name: 'no-name',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - aesgcm: {keys: [{secret: c2VjcmV0IGlzIHNlY3VyZQ==}]}
`,
    message: `error while parsing file: resources[0].providers[0].aesgcm.keys[0].name: Required value: name is a mandatory field for a key`,
  },
  {
    name: 'no-providers',
    file: `${head}resources:
- resources: [secrets]
  providers: []
`,
    message: `error while parsing file: resources[0].providers: Required value: at least one resources[0].providers is required`,
  },
  {
    name: 'no-resources',
    file: `${head}resources: []
`,
    message: `error while parsing file: resources: Required value: at least one resources is required`,
  },
  {
    name: 'no-secret',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - aesgcm: {keys: [{name: a}]}
`,
    message: `error while parsing file: resources[0].providers[0].aesgcm.keys[0].secret: Required value: secret is a mandatory field for a key`,
  },
  {
    name: 'norest',
    file: `${head}resources:
- resources: [serviceipallocations]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while parsing file: resources[0].resources[0]: Invalid value: "serviceipallocations": resources which do not have REST API/s cannot be encrypted`,
  },
  {
    name: 'not-list',
    file: `${head}resources: {}
`,
    message: `error while parsing file: error decoding encryption provider configuration file FILE: json: cannot unmarshal object into Go struct field EncryptionConfiguration.resources of type []v1.ResourceConfiguration`,
  },
  {
    name: 'number-name',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - aescbc: {keys: [{name: 1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}]}
`,
    message: `error while parsing file: error decoding encryption provider configuration file FILE: json: cannot unmarshal number into Go struct field Key.resources.providers.aescbc.keys.name of type string`,
  },
  {
    name: 'overlap',
    file: `${head}resources:
- resources: [secrets, "*."]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while parsing file: resources[0].resources: Invalid value: ["secrets","*."]: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked`,
  },
  {
    name: 'overlap-all',
    file: `${head}resources:
- resources: ["*.*", "*.apps"]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while parsing file: resources[0].resources: Invalid value: ["*.*","*.apps"]: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked`,
  },
  {
    name: 'secretbox-length',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - secretbox: {keys: [{name: a, secret: c2VjcmV0IGlzIHNlY3VyZQ==}]}
`,
    message: `error while parsing file: resources[0].providers[0].secretbox.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 16, expected one of [32]`,
  },
  {
    name: 'star',
    file: `${head}resources:
- resources: ["*"]
  providers:
  - aescbc:
      keys:
      - {name: key1, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
`,
    message: `error while parsing file: resources[0].resources[0]: Invalid value: "*": use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources`,
  },
  {
    name: 'typo',
    file: `${head}resources:
- resources: [secrets]
  providers:
  - aescbc: {keyz: []}
`,
    message: `error while parsing file: error decoding encryption provider configuration file FILE: strict decoding error: unknown field "resources[0].providers[0].aescbc.keyz"`,
  },
  {
    name: 'wrong-kind',
    file: `kind: Pod
apiVersion: v1
`,
    message: `error while parsing file: error decoding encryption provider configuration file FILE: no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`,
  },
  {
    name: 'wrong-version',
    file: `kind: EncryptionConfiguration
apiVersion: apiserver.config.k8s.io/v9
`,
    message: `error while parsing file: error decoding encryption provider configuration file FILE: no kind "EncryptionConfiguration" is registered for version "apiserver.config.k8s.io/v9" in scheme "pkg/runtime/scheme.go:111"`,
  },
];

async function refusal(content: string, file = 'config.yaml'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'encryption-'));
  const path = join(folder, file);
  await writeFile(path, content);
  const result = await loadEncryption({ file: path, reload: false }).then(
    (encryption) => {
      encryption[Symbol.dispose]();
      return 'accepted';
    },
    (error: Error) => error.message.replace(JSON.stringify(path), 'FILE'),
  );
  await rm(folder, { recursive: true });
  return result;
}

for (const { name, file, message } of refusals) {
  test(`a configuration is refused in upstream's words: ${name}`, async () => {
    assert.equal(await refusal(file), message);
  });
}

test('secrets never show in a refusal', async () => {
  const secret = 'c2VjcmV0IGlzIHNlY3VyZQ==';
  const twoProviders = `${head}resources: [{resources: [a], providers: [{identity: {}, aescbc: {keys: [{name: k, secret: ${secret}}]}}]}]`;
  const message = await refusal(twoProviders);
  assert.match(message, /more than one provider specified in a single element, should split into different list elements$/);
  assert.ok(!message.includes(secret));
  assert.ok(!(await refusal(`resources: [{providers: [{aescbc: {keys: [{name: k, secret: ${secret}}]}}]}]`)).includes(secret));
});

test('an empty file, a missing one and broken YAML are refused in one line', async () => {
  assert.match(
    await refusal(''),
    /^error while parsing file: error while loading file: encryption provider configuration file FILE is empty$/,
  );
  assert.match(
    await refusal('a: ['),
    /^error while parsing file: error decoding encryption provider configuration file FILE: yaml: line 1: .+$/,
  );
  await assert.rejects(loadEncryption({ file: '/nonexistent', reload: false }), {
    message:
      'error while parsing file: error while loading file: error reading encryption provider configuration file "/nonexistent": open /nonexistent: no such file or directory',
  });
});

test('the name that old documentation gave is accepted', async () => {
  const file = 'kind: EncryptionConfig\napiVersion: v1\nresources: [{resources: [secrets], providers: [{identity: {}}]}]';
  assert.equal(await refusal(file), 'accepted');
});
