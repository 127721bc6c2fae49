import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Container {
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

interface Pod {
  readonly spec: {
    readonly serviceAccountName?: string;
    readonly serviceAccount?: string;
    readonly imagePullSecrets?: readonly object[];
    readonly volumes?: readonly { readonly name: string; readonly projected?: object }[];
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
}

const accounts = '/api/v1/namespaces/a/serviceaccounts';
const pods = '/api/v1/namespaces/a/pods';
const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const container = (name: string, more: object = {}): object => ({ name, image: 'i', ...more });
const pod = (spec: object = {}, annotations: object = {}): object => ({
  metadata: { name: 'p', annotations },
  spec: { containers: [container('c')], ...spec },
});
const mounting = { volumeMounts: [{ name: 'mine', mountPath: tokenPath }] };
const mine = { volumes: [{ name: 'mine', emptyDir: {} }] };

const mirror = (spec: object = {}): object => pod({ nodeName: 'n', ...spec }, { 'kubernetes.io/config.mirror': 'm' });
const tokenVolume = { name: 't', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } };
const mirrorCases: readonly (readonly [what: string, spec: object, problem: string | undefined])[] = [
  ['that uses nothing of the API server', {}, undefined],
  ['with an account', { serviceAccountName: 'default' }, 'a mirror pod may not reference service accounts'],
  ['with a secret', { volumes: [{ name: 's', secret: { secretName: 'x' } }] }, 'a mirror pod may not reference secrets'],
  ['with a token', { volumes: [tokenVolume] }, 'a mirror pod may not use ServiceAccountToken volume projections'],
];

const secretVolume = (secretName: string): object => ({ volumes: [{ name: 'v', secret: { secretName } }] });
const variable = (secret: string): object => ({ env: [{ name: 'E', valueFrom: { secretKeyRef: { name: secret, key: 'k' } } }] });
const variables = (secret: string): object => ({ envFrom: [{ secretRef: { name: secret } }] });
const refused = (what: string, kind = 'secret'): string =>
  `${what} is not allowed because service account strict does not reference that ${kind}`;
const secretCases: readonly (readonly [what: string, spec: object, problem: string | undefined])[] = [
  ['a volume with a secret of the account', secretVolume('listed'), undefined],
  ['a volume with another secret', secretVolume('other'), refused('volume with secret.secretName="other"')],
  ['a variable with a secret of the account', { containers: [container('c', variable('listed'))] }, undefined],
  [
    'a variable with another secret',
    { containers: [container('c', variable('other'))] },
    refused('container c with envVar E referencing secret.secretName="other"'),
  ],
  [
    'variables of another secret',
    { containers: [container('c', variables('other'))] },
    refused('container c with envFrom referencing secret.secretName="other"'),
  ],
  [
    'an init container with another secret',
    { initContainers: [container('i', variable('other'))] },
    refused('init container i with envVar E referencing secret.secretName="other"'),
  ],
  ['a pull secret of the account', { imagePullSecrets: [{ name: 'pull' }] }, undefined],
  ['another pull secret', { imagePullSecrets: [{ name: 'listed' }] }, refused('imagePullSecrets[0].name="listed"', 'imagePullSecret')],
];

describe('ServiceAccount', () => {
  const strict = { name: 'strict', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } };
  const server = admissionServer({
    plugins: ['ServiceAccount'],
    objects: [
      [accounts, { metadata: { name: 'default' } }],
      [accounts, { metadata: { name: 'pulling' }, imagePullSecrets: [{ name: 'pull' }] }],
      [accounts, { metadata: { name: 'shy' }, automountServiceAccountToken: false }],
      [accounts, { metadata: strict, secrets: [{ name: 'listed' }], imagePullSecrets: [{ name: 'pull' }] }],
    ],
  });
  const admitted = async (object: object): Promise<Pod['spec']> => {
    const { object: created, message } = await server.tryCreate<Pod>(pods, object);
    assert.equal(message, undefined);
    return created.spec;
  };
  const mountsOf = (spec: Pod['spec']): readonly (string | undefined)[] =>
    [...(spec.initContainers ?? []), ...spec.containers].map(
      ({ volumeMounts }) => volumeMounts?.find(({ mountPath }) => mountPath === tokenPath)?.name,
    );

  test('a pod that names no account runs as the default one', async () => {
    const spec = await admitted(pod());
    assert.deepEqual([spec.serviceAccountName, spec.serviceAccount], ['default', 'default']);
  });

  test('an account must be there', async () => {
    const { status, message } = await server.tryCreate(pods, pod({ serviceAccountName: 'gone' }));
    assert.deepEqual(
      [status, message],
      [403, 'pods "p" is forbidden: error looking up service account a/gone: serviceaccount "gone" not found'],
    );
  });

  test('an account whose name cannot be in a path is not looked for', async () => {
    const { message } = await server.tryCreate(pods, pod({ serviceAccountName: '../up%' }));
    const why = `invalid resource name "../up%": [may not contain '/' may not contain '%']`;
    assert.equal(message, `pods "p" is forbidden: error looking up service account a/../up%: ${why}`);
  });

  test('the default account of a new namespace may be a moment late', async () => {
    const creating = server.create('/api/v1/namespaces/late/pods', pod());
    await server.given('/api/v1/namespaces/late/serviceaccounts', { metadata: { name: 'default' } });
    assert.equal((await creating).status, 201);
  });

  test('every container finds token, authority and namespace where clients look for them', async () => {
    const spec = await admitted(pod({ initContainers: [container('i')] }));
    const [volume] = spec.volumes ?? [];
    assert.match(volume?.name ?? '', /^kube-api-access-[a-z0-9]{5}$/);
    assert.deepEqual(volume?.projected, {
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
      ],
    });
    assert.deepEqual(mountsOf(spec), [volume?.name, volume?.name]);
    assert.equal(spec.containers[0]?.volumeMounts?.[0]?.readOnly, true);
  });

  test('a container that mounts something there itself is left alone', async () => {
    const some = await admitted(pod({ containers: [container('c', mounting), container('d')], ...mine }));
    assert.deepEqual(mountsOf(some), ['mine', some.volumes?.[1]?.name]);
    const all = await admitted(pod({ containers: [container('c', mounting)], ...mine }));
    assert.deepEqual(
      all.volumes?.map(({ name }) => name),
      ['mine'],
    );
  });

  const automount: readonly (readonly [what: string, spec: object, mounted: boolean])[] = [
    ['an account that gives no token', { serviceAccountName: 'shy' }, false],
    ['such an account, by a pod that wants one', { serviceAccountName: 'shy', automountServiceAccountToken: true }, true],
    ['the default account, by a pod that wants none', { automountServiceAccountToken: false }, false],
  ];
  for (const [what, spec, mounted] of automount) {
    test(`${what}: ${mounted ? 'a token' : 'no token'} is mounted`, async () => {
      const { volumes = [] } = await admitted(pod(spec));
      assert.equal(volumes.length, mounted ? 1 : 0);
    });
  }

  test('images are pulled with the secrets of the account, unless the pod has its own', async () => {
    const silent = await admitted(pod({ serviceAccountName: 'pulling' }));
    assert.deepEqual(silent.imagePullSecrets, [{ name: 'pull' }]);
    const own = await admitted(pod({ serviceAccountName: 'pulling', imagePullSecrets: [{ name: 'mine' }] }));
    assert.deepEqual(own.imagePullSecrets, [{ name: 'mine' }]);
  });

  for (const [what, spec, problem] of mirrorCases) {
    test(`a mirror pod ${what} is ${problem === undefined ? 'admitted as the kubelet made it' : 'refused'}`, async () => {
      const { object, message } = await server.tryCreate<Pod>(pods, mirror(spec));
      assert.equal(message, problem && `pods "p" is forbidden: ${problem}`);
      if (problem === undefined) assert.deepEqual([object.spec.serviceAccountName, object.spec.volumes], [undefined, undefined]);
    });
  }

  for (const [what, spec, problem] of secretCases) {
    test(`where the account allows listed secrets only, ${what} is ${problem === undefined ? 'admitted' : 'refused'}`, async () => {
      const { message } = await server.tryCreate(pods, pod({ serviceAccountName: 'strict', ...spec }));
      assert.equal(message, problem && `pods "p" is forbidden: ${problem}`);
    });
  }

  test('where the account does not, every secret is admitted', async () => {
    for (const [, spec] of secretCases) await admitted(pod(spec));
  });

  test('ephemeral containers are held to the same secrets', async () => {
    await server.given(pods, pod({ serviceAccountName: 'strict', nodeName: 'n' }));
    const debug = (secret: string): ReturnType<typeof server.patch> =>
      server.patch(`${pods}/p/ephemeralcontainers?dryRun=All`, {
        spec: {
          ephemeralContainers: [container('e', { ...variable(secret), terminationMessagePolicy: 'File', imagePullPolicy: 'Never' })],
        },
      });
    assert.equal((await debug('listed')).status, 200);
    const { status, message } = await debug('other');
    assert.equal(status, 500);
    assert.equal(message, refused('ephemeral container e with envVar E referencing secret.secretName="other"'));
  });
});
