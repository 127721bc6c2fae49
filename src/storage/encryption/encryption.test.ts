import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { GrpcError, statusCode } from '../../base/grpc/status.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { EncryptionMetrics, encryptionFamilies } from './metrics/encryption-metrics.ts';
import { Encryption, loadEncryption } from './encryption.ts';
import { FakePlugin } from '../../../test/support/kms-plugin.ts';
import { TransformError } from './ciphers/transformer.ts';

const key = (name: string, fill: string, size = 32): object => ({ name, secret: Buffer.alloc(size, fill).toString('base64') });

function configuration(...resources: readonly { resources: readonly string[]; providers: readonly object[] }[]): string {
  return JSON.stringify({ kind: 'EncryptionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1', resources });
}

interface World {
  readonly file: string;
  readonly folder: string;
  readonly load: (content: string, options?: Partial<Parameters<typeof loadEncryption>[0]>) => Promise<Encryption>;
}

async function inFolder(run: (world: World) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'encryption-'));
  const file = join(folder, 'config.yaml');
  const load: World['load'] = async (content, options) => {
    await writeFile(file, content);
    return loadEncryption({ file, reload: false, ...options });
  };
  try {
    await run({ file, folder, load });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const secrets = { group: '', resource: 'secrets' };
const plain = Buffer.from('k8s\0value');
const at = '/registry/secrets/default/s';

test('values carry the prefix of their provider and key', async () => {
  await inFolder(async ({ load }) => {
    const cases: readonly [object, string][] = [
      [{ aescbc: { keys: [key('key1', 'a')] } }, 'k8s:enc:aescbc:v1:key1:'],
      [{ aesgcm: { keys: [key('key1', 'a', 16)] } }, 'k8s:enc:aesgcm:v1:key1:'],
      [{ secretbox: { keys: [key('key1', 'a')] } }, 'k8s:enc:secretbox:v1:key1:'],
      [{ identity: {} }, 'k8s\0value'],
    ];
    for (const [provider, prefix] of cases) {
      using encryption = await load(configuration({ resources: ['secrets'], providers: [provider] }));
      const transformer = encryption.transformerFor(secrets);
      const stored = await transformer.toStorage(plain, at);
      assert.equal(stored.toString('latin1', 0, prefix.length), prefix);
      assert.deepEqual(await transformer.fromStorage(stored, at), { value: plain, stale: false });
    }
  });
});

test('the most exact rule decides: resource, then group, then everything, then none', async () => {
  await inFolder(async ({ load }) => {
    const named = (name: string): object => ({ aesgcm: { keys: [key(name, name)] } });
    using encryption = await load(
      configuration(
        { resources: ['secrets'], providers: [named('s')] },
        { resources: ['*.'], providers: [named('c')] },
        { resources: ['deployments.apps'], providers: [named('d')] },
        { resources: ['*.apps'], providers: [named('a')] },
      ),
    );
    const keyName = async (resource: string, group: string): Promise<string> => {
      const stored = await encryption.transformerFor({ group, resource }).toStorage(plain, at);
      return /^k8s:enc:aesgcm:v1:(\w):/.exec(stored.toString('latin1'))?.[1] ?? 'plain';
    };
    assert.equal(await keyName('secrets', ''), 's');
    assert.equal(await keyName('configmaps', ''), 'c');
    assert.equal(await keyName('deployments', 'apps'), 'd');
    assert.equal(await keyName('statefulsets', 'apps'), 'a');
    assert.equal(await keyName('jobs', 'batch'), 'plain');
    using everything = await load(configuration({ resources: ['*.*'], providers: [named('e')] }));
    assert.match(
      (await everything.transformerFor({ group: 'x.io', resource: 'y' }).toStorage(plain, at)).toString('latin1'),
      /^k8s:enc:aesgcm:v1:e:/,
    );
  });
});

test('values of any listed key are read, and stale unless the first one wrote them', async () => {
  await inFolder(async ({ load }) => {
    const [a, b] = [{ aescbc: { keys: [key('a', 'a')] } }, { aescbc: { keys: [key('b', 'b')] } }];
    const written: Buffer[] = [];
    for (const provider of [a, b, { aescbc: { keys: [key('b', 'b'), key('a', 'a')] } }, { identity: {} }]) {
      using encryption = await load(configuration({ resources: ['secrets'], providers: [provider] }));
      written.push(await encryption.transformerFor(secrets).toStorage(plain, at));
    }
    using encryption = await load(configuration({ resources: ['secrets'], providers: [b, a, { identity: {} }] }));
    const read = await Promise.all(written.map((value) => encryption.transformerFor(secrets).fromStorage(value, at)));
    assert.deepEqual(
      read.map(({ stale }) => stale),
      [true, false, false, true],
    );
    assert.ok(read.every(({ value }) => value.equals(plain)));
    using decrypting = await load(configuration({ resources: ['secrets'], providers: [{ identity: {} }, a] }));
    assert.deepEqual(await decrypting.transformerFor(secrets).fromStorage(written[0] as Buffer, at), { value: plain, stale: true });
  });
});

test('an unreadable value names provider and key', async () => {
  await inFolder(async ({ load }) => {
    using writer = await load(configuration({ resources: ['secrets'], providers: [{ aesgcm: { keys: [key('old', 'x')] } }] }));
    const value = await writer.transformerFor(secrets).toStorage(plain, at);
    const cases: readonly { providers: readonly object[]; message: string }[] = [
      { providers: [{ aesgcm: { keys: [key('new', 'x')] } }], message: 'no matching key was found for the provided AES transformer' },
      { providers: [{ aesgcm: { keys: [key('old', 'y')] } }], message: 'cipher: message authentication failed' },
      { providers: [{ secretbox: { keys: [key('old', 'x')] } }], message: 'no matching prefix found' },
      { providers: [{ identity: {} }], message: 'no matching prefix found' },
    ];
    for (const { providers, message } of cases) {
      using reader = await load(configuration({ resources: ['secrets'], providers }));
      assert.throws(
        () => reader.transformerFor(secrets).fromStorage(value, at),
        (error) => {
          assert.ok(error instanceof TransformError);
          assert.deepEqual([error.message, error.provider, error.keyName], [message, 'aesgcm', 'old']);
          assert.equal(error.describe(), `${message} (the value was written with provider aesgcm, key "old")`);
          return true;
        },
      );
    }
    using reader = await load(configuration({ resources: ['configmaps'], providers: [{ identity: {} }] }));
    assert.throws(() => reader.transformerFor(secrets).fromStorage(value, at), {
      message: 'identity transformer tried to read encrypted data',
    });
  });
});

test('a changed file takes effect, a bad one does not and is reported', async () => {
  await inFolder(async ({ file, load }) => {
    const clock = new ManualClock(1_000_000);
    const reports: (Error | undefined)[] = [];
    const providers = (name: string): string =>
      configuration({ resources: ['secrets'], providers: [{ aesgcm: { keys: [key(name, name)] } }] });
    using encryption = await load(providers('a'), { reload: true, clock, onReload: (error) => reports.push(error) });
    encryption.follow();
    const transformer = encryption.transformerFor(secrets);
    const prefix = async (): Promise<string> => (await transformer.toStorage(plain, at)).toString('latin1', 0, 20);
    const poll = async (ms: number): Promise<void> => {
      const before = reports.length;
      clock.advance(ms);
      for (let i = 0; i < 100 && reports.length === before; i++) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    assert.equal(await prefix(), 'k8s:enc:aesgcm:v1:a:');
    await writeFile(file, providers('b'));
    await poll(60_000);
    assert.deepEqual(reports, [undefined]);
    assert.equal(await prefix(), 'k8s:enc:aesgcm:v1:b:');
    await writeFile(file, 'nonsense: {}');
    await poll(60_000);
    assert.match(String(reports[1]), /error processing encryption config file .*: error while parsing file: error decoding/);
    assert.equal(await prefix(), 'k8s:enc:aesgcm:v1:b:');
    await writeFile(file, providers('c'));
    await poll(1000);
    assert.equal(await prefix(), 'k8s:enc:aesgcm:v1:c:', 'a failed reload is tried again soon');
    assert.deepEqual(
      encryption.healthChecks.map(({ name }) => name),
      ['kms-providers'],
    );
  });
});

test('plugins of key services are part of the health, by one check', async () => {
  await inFolder(async ({ folder, load }) => {
    await using plugin = new FakePlugin();
    await plugin.listen(join(folder, 'kms.sock'));
    const clock = new ManualClock(1_000_000);
    const kms = { apiVersion: 'v2', name: 'vault', endpoint: `unix://${folder}/kms.sock` };
    using encryption = await load(configuration({ resources: ['secrets'], providers: [{ kms }] }), { clock });
    const stored = await encryption.transformerFor(secrets).toStorage(plain, at);
    assert.ok(stored.toString('latin1').startsWith('k8s:enc:kms:v2:vault:'));
    const [check] = encryption.healthChecks;
    await check?.check();
    plugin.healthz = 'tired';
    clock.advance(20_001);
    await assert.rejects(async () => check?.check(), {
      message: 'kms-provider-0: kmsv2 Provider vault is not healthy, error: got unexpected healthz status: tired',
    });
  });
});

test('plugins of KMS v1 have a check each, except with reload; they need the feature', async () => {
  await inFolder(async ({ folder, load }) => {
    await using plugin = new FakePlugin();
    await plugin.listen(join(folder, 'kms.sock'));
    const endpoint = `unix://${folder}/kms.sock`;
    const providers = [{ kms: { name: 'old', endpoint } }, { kms: { apiVersion: 'v2', name: 'new', endpoint } }];
    const content = configuration({ resources: ['secrets'], providers });
    await assert.rejects(load(content), /KMSv1 is deprecated .* --feature-gates=KMSv1=true/);
    using encryption = await load(content, { allowsKmsV1: true });
    const transformer = encryption.transformerFor(secrets);
    const stored = await transformer.toStorage(plain, at);
    assert.ok(stored.toString('latin1').startsWith('k8s:enc:kms:v1:old:'));
    assert.deepEqual(await transformer.fromStorage(stored, at), { value: plain, stale: false });
    assert.deepEqual(
      encryption.healthChecks.map(({ name }) => name),
      ['kms-provider-0', 'kms-provider-1'],
    );
    for (const { check } of encryption.healthChecks) await check();
    using reloading = await load(content, { allowsKmsV1: true, reload: true });
    assert.deepEqual(
      reloading.healthChecks.map(({ name }) => name),
      ['kms-providers'],
    );
  });
});

test('without key services and without reload there is nothing to check', async () => {
  await inFolder(async ({ load }) => {
    using encryption = await load(configuration({ resources: ['secrets'], providers: [{ identity: {} }] }));
    assert.deepEqual(encryption.healthChecks, []);
  });
});

test('what is encrypted and decrypted is counted by prefix and outcome', async () => {
  await inFolder(async ({ load }) => {
    const registry = new MetricsRegistry();
    const { operations, seconds } = encryptionFamilies(registry);
    const providers = [{ aescbc: { keys: [key('key1', 'a')] } }, { identity: {} }];
    const content = configuration({ resources: ['secrets'], providers });
    using encryption = await load(content, { metrics: new EncryptionMetrics(registry, 'server') });
    const transformer = encryption.transformerFor(secrets);
    const stored = await transformer.toStorage(plain, at);
    await transformer.fromStorage(stored, at);
    await transformer.fromStorage(plain, at);
    assert.throws(() => transformer.fromStorage(Buffer.from('k8s:enc:other:v1:x:y'), at));
    const count = (direction: string, prefix: string, status = 'OK'): number => operations.with('secrets', direction, prefix, status).value;
    const [provider, name] = ['k8s:enc:aescbc:v1:', 'key1:'];
    assert.deepEqual([count('to_storage', provider), count('to_storage', name)], [1, 1]);
    assert.deepEqual([count('from_storage', provider), count('from_storage', name), count('from_storage', 'identity')], [1, 1, 1]);
    assert.equal(count('from_storage', 'unknown', 'unknown-non-grpc'), 1);
    assert.equal(seconds.with('to_storage', provider).total, 1);
    assert.equal(seconds.with('from_storage', 'unknown').total, 0);
  });
});

test('calls to a KMS plugin, its keys and what is remembered of them are counted', async () => {
  await inFolder(async ({ load, folder }) => {
    await using fake = new FakePlugin();
    await fake.listen(join(folder, 'kms.sock'));
    const registry = new MetricsRegistry();
    const metrics = new EncryptionMetrics(registry, 'server');
    const families = encryptionFamilies(registry);
    const kms = { apiVersion: 'v2', name: 'vault', endpoint: `unix://${folder}/kms.sock` };
    const content = configuration({ resources: ['secrets'], providers: [{ kms }] });
    using writer = await load(content, { metrics });
    const stored = await writer.transformerFor(secrets).toStorage(plain, at);
    using reader = await load(content, { metrics });
    await reader.transformerFor(secrets).fromStorage(stored, at);
    const calls = (method: string): number => families.callSeconds.with('vault', `/v2.KeyManagementService/${method}`, 'OK').total;
    assert.deepEqual([calls('Status'), calls('Encrypt'), calls('Decrypt')], [2, 2, 1]);
    assert.equal(families.dataKeySeconds.with().total, 2);
    assert.equal(families.cacheMisses.with().value, 1);
    assert.equal(families.dekSources.with('vault').value, 1);
    const uses = [...families.keyUses.children()].map(([[direction, provider], child]) => [direction, provider, child.value]);
    assert.deepEqual(uses, [
      ['to_storage', 'vault', 1],
      ['from_storage', 'vault', 1],
    ]);
    assert.equal([...families.keyLastUse.children()].length, 2);
    assert.equal([...families.keyLastStatus.children()].length, 1);
  });
});

test('a plugin with ever new keys does not make ever new metrics, and failures are named as gRPC names them', async () => {
  const registry = new MetricsRegistry();
  const metrics = new EncryptionMetrics(registry, 'server');
  const families = encryptionFamilies(registry);
  for (let i = 0; i < 250; i++) {
    metrics.usedKey('to_storage', 'vault', `key-${i}`);
    metrics.namedKey('vault', `key-${i}`);
  }
  assert.equal([...families.keyUses.children()].length, 100);
  assert.equal([...families.keyLastUse.children()].length, 100);
  assert.equal([...families.keyLastStatus.children()].length, 100);
  metrics.namedInvalidKey('vault', '');
  assert.equal(families.invalidKeyIds.with('vault', 'empty').value, 1);
  const down = new GrpcError(statusCode.unavailable, 'down');
  await assert.rejects(metrics.called('vault', 'm', () => Promise.reject(new Error('failed', { cause: down }))));
  assert.equal(families.callSeconds.with('vault', 'm', 'Unavailable').total, 1);
});
