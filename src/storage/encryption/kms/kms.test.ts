import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../../base/clock.ts';
import { recordedEncryptedObject } from '../recorded-values.cases.ts';
import type { Transformed } from '../ciphers/transformer.ts';
import { decodeEncryptedObject, encodeEncryptedObject } from './encrypted-object.ts';
import { KmsEnvelopeTransformer } from './envelope.ts';
import { FakePlugin } from '../../../../test/support/kms-plugin.ts';
import { KmsPlugin } from './plugin.ts';
import { connectKms } from './service.ts';

interface World {
  readonly fake: FakePlugin;
  readonly clock: ManualClock;
  readonly plugin: KmsPlugin;
  /** a transformer that remembers nothing yet, as after a restart */
  readonly restarted: () => KmsEnvelopeTransformer;
}

async function withPlugin(run: (world: World) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kms-'));
  try {
    await using fake = new FakePlugin();
    await fake.listen(join(folder, 'kms.sock'));
    const clock = new ManualClock(Date.parse('2026-11-16T00:00:00Z'));
    using plugin = new KmsPlugin('vault', connectKms(`unix://${folder}/kms.sock`, 3000), clock);
    await plugin.start();
    await run({ fake, clock, plugin, restarted: () => new KmsEnvelopeTransformer(plugin, clock) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const plain = Buffer.from('{"kind":"Secret"}');

test('an EncryptedObject has the bytes that Go gives it', () => {
  const bytes = Buffer.from(recordedEncryptedObject, 'base64');
  const object = decodeEncryptedObject(bytes);
  assert.deepEqual(object, {
    encryptedData: Buffer.from([1, 2, 3]),
    keyId: 'key-1',
    encryptedDekSource: Buffer.from('dek'),
    annotations: new Map([
      ['a.example.com', Buffer.from('x')],
      ['b.example.com', Buffer.alloc(0)],
    ]),
    sourceType: 1,
  });
  assert.deepEqual(encodeEncryptedObject(object), bytes);
});

const badObjects: readonly { change: Partial<ReturnType<typeof decodeEncryptedObject>>; message: string | RegExp }[] = [
  { change: { encryptedData: Buffer.alloc(0) }, message: 'encrypted data is empty' },
  { change: { sourceType: 7 }, message: 'unknown encryptedDEKSourceType: 7' },
  { change: { keyId: '' }, message: 'failed to validate key id: keyID is empty' },
  { change: { keyId: 'k'.repeat(1025) }, message: 'failed to validate key id: keyID is 1025 bytes, which exceeds the max size of 1024' },
  { change: { encryptedDekSource: Buffer.alloc(0) }, message: 'failed to validate encrypted DEK source: encrypted DEK source is empty' },
  {
    change: { annotations: new Map([['short', Buffer.alloc(1)]]) },
    message:
      'failed to validate annotations: annotations: Invalid value: "short": should be a domain with at least two segments separated by dots',
  },
];

for (const { change, message } of badObjects) {
  test(`a bad EncryptedObject is refused: ${message}`, () => {
    const object = decodeEncryptedObject(Buffer.from(recordedEncryptedObject, 'base64'));
    assert.throws(() => decodeEncryptedObject(encodeEncryptedObject({ ...object, ...change })), { message });
  });
}

test('values of one seed cost the plugin one encryption, and one decryption after a restart', async () => {
  await withPlugin(async ({ fake, restarted }) => {
    const writer = restarted();
    const values = await Promise.all(Array.from({ length: 50 }, (_, i) => writer.toStorage(plain, `/k/${i}`)));
    assert.equal(fake.encrypted, 1);
    const own = writer.fromStorage(values[0] as Buffer, '/k/0');
    assert.ok(!(own instanceof Promise), 'what was just written needs no plugin');
    assert.deepEqual(own, { value: plain, stale: false });
    const reader = restarted();
    const read = await Promise.all(values.map((value, i) => reader.fromStorage(value, `/k/${i}`)));
    assert.deepEqual(read, Array<Transformed>(50).fill({ value: plain, stale: false }));
    assert.equal(fake.decrypted, 1);
    assert.throws(() => reader.fromStorage(values[0] as Buffer, '/k/1'), { message: 'cipher: message authentication failed' });
  });
});

test('another key id of the plugin makes a new seed, and old values stale but readable', async () => {
  await withPlugin(async ({ fake, clock, plugin, restarted }) => {
    const transformer = restarted();
    const old = transformer.toStorage(plain, '/k');
    fake.keyId = 'key-2';
    clock.advance(20_001);
    await plugin.check();
    assert.equal(fake.encrypted, 2);
    assert.deepEqual(await transformer.fromStorage(old, '/k'), { value: plain, stale: true });
    assert.deepEqual(await transformer.fromStorage(transformer.toStorage(plain, '/k'), '/k'), { value: plain, stale: false });
  });
});

test('a plugin in trouble is reported; writes go on for three minutes, reads for ever', async () => {
  await withPlugin(async ({ fake, clock, plugin, restarted }) => {
    const transformer = restarted();
    const value = transformer.toStorage(plain, '/k');
    fake.broken = true;
    clock.advance(20_001);
    const message =
      'failed to perform status section of the healthz check for KMS Provider vault, error: rpc error: code = Internal desc = the vault is sealed';
    await assert.rejects(plugin.check(), { message });
    clock.advance(100_000);
    transformer.toStorage(plain, '/k');
    clock.advance(70_000);
    assert.throws(
      () => transformer.toStorage(plain, '/k'),
      /^Error: encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at 2026-11-16T00:03:00Z/,
    );
    assert.deepEqual(await transformer.fromStorage(value, '/k'), { value: plain, stale: false });
    await assert.rejects(async () => restarted().fromStorage(value, '/k'), /failed to decrypt DEK, error: .*the vault is sealed/);
    fake.broken = false;
    clock.advance(3001);
    await plugin.check();
    transformer.toStorage(plain, '/k');
  });
});

const moods: readonly { what: string; change: (fake: FakePlugin) => void; message: RegExp }[] = [
  {
    what: 'unwell',
    change: (fake) => (fake.healthz = 'no'),
    message: /^Error: kmsv2 Provider vault is not healthy, error: got unexpected healthz status: no$/,
  },
  { what: 'of another version', change: (fake) => (fake.version = 'v3'), message: /expected KMSv2 API version v2, got v3/ },
  {
    what: 'changing its version',
    change: (fake) => (fake.version = 'v2beta1'),
    message: /should not change after the initial status response version v2, got v2beta1/,
  },
  { what: 'without key id', change: (fake) => (fake.keyId = ''), message: /got invalid KMSv2 KeyID hash "": keyID is empty/ },
];

for (const { what, change, message } of moods) {
  test(`a plugin ${what} is not healthy`, async () => {
    await withPlugin(async ({ fake, clock, plugin }) => {
      change(fake);
      clock.advance(20_001);
      await assert.rejects(plugin.check(), message);
    });
  });
}

test('a plugin that starts after the server is found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kms-'));
  const clock = new ManualClock(1_000_000);
  using plugin = new KmsPlugin('late', connectKms(`unix://${folder}/kms.sock`, 100), clock);
  await plugin.start();
  const transformer = new KmsEnvelopeTransformer(plugin, clock);
  assert.throws(() => transformer.toStorage(plain, '/k'), { message: 'got unexpected nil transformer' });
  await using fake = new FakePlugin();
  await fake.listen(join(folder, 'kms.sock'));
  // The plugin has responded before this side has read it.
  const hasKey = (): boolean => {
    try {
      return transformer.toStorage(plain, '/k').length > 0;
    } catch {
      return false;
    }
  };
  for (let i = 0; i < 100 && !hasKey(); i++) {
    clock.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(transformer.toStorage(plain, '/k').length > 0);
  await rm(folder, { recursive: true });
});
