import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakePlugin } from '../../../../test/support/kms-plugin.ts';
import { ManualClock } from '../../../base/clock.ts';
import { MetricsRegistry } from '../../../base/metrics.ts';
import { EncryptionMetrics, encryptionFamilies } from '../metrics/encryption-metrics.ts';
import { KmsV1EnvelopeTransformer } from './v1-envelope.ts';
import { KmsV1Plugin } from './v1-plugin.ts';
import type { KmsV1Service } from './v1-service.ts';
import { connectKmsV1 } from './v1-service.ts';

const plain = Buffer.from('{"kind":"Secret"}');

async function withPlugin(run: (fake: FakePlugin, service: KmsV1Service) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kms-v1-'));
  try {
    await using fake = new FakePlugin();
    await fake.listen(join(folder, 'kms.sock'));
    using service = connectKmsV1(`unix://${folder}/kms.sock`, 3000);
    await run(fake, service);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('every value has a key of its own; those that were used last need no plugin', async () => {
  await withPlugin(async (fake, service) => {
    const transformer = new KmsV1EnvelopeTransformer(service, 2);
    const keys = ['/a', '/b', '/c'];
    const values: Buffer[] = [];
    for (const key of keys) values.push(await transformer.toStorage(plain, key));
    assert.deepEqual([fake.asked, fake.encrypted, fake.decrypted], [1, 3, 0]);
    const [first, second, third] = values as [Buffer, Buffer, Buffer];
    assert.notDeepEqual(first.subarray(0, 34), second.subarray(0, 34));
    assert.deepEqual(transformer.fromStorage(second, '/b'), { value: plain, stale: false });
    assert.deepEqual(await transformer.fromStorage(first, '/a'), { value: plain, stale: false });
    assert.equal(fake.decrypted, 1, 'the first had fallen out of a cache of two');
    assert.deepEqual(transformer.fromStorage(second, '/b'), { value: plain, stale: false });
    await transformer.fromStorage(third, '/c');
    assert.equal(fake.decrypted, 2, 'the third had been used longest ago');
  });
});

test('a cache of no size remembers nothing', async () => {
  await withPlugin(async (fake, service) => {
    const transformer = new KmsV1EnvelopeTransformer(service, -1);
    const value = await transformer.toStorage(plain, '/k');
    for (let i = 1; i <= 3; i++) {
      await transformer.fromStorage(value, '/k');
      assert.equal(fake.decrypted, i);
    }
  });
});

test('values that were written with AES-CBC are read, and stale', async () => {
  await withPlugin(async (_fake, service) => {
    const key = Buffer.alloc(32, 7);
    const encryptedKey = await service.encrypt(key);
    const vector = Buffer.alloc(16, 1);
    const cipher = createCipheriv('aes-256-cbc', key, vector);
    const value = Buffer.concat([Buffer.from([0, encryptedKey.length]), encryptedKey, vector, cipher.update(plain), cipher.final()]);
    const transformer = new KmsV1EnvelopeTransformer(service, 1000);
    assert.deepEqual(await transformer.fromStorage(value, '/k'), { value: plain, stale: true });
  });
});

test('a value that was moved, or is too short for the key that it names, does not open', async () => {
  await withPlugin(async (_fake, service) => {
    const transformer = new KmsV1EnvelopeTransformer(service, 1000);
    const value = await transformer.toStorage(plain, '/k');
    assert.throws(() => transformer.fromStorage(value, '/other'), /^Error: \[cipher: message authentication failed, /);
    for (const length of [0, 1, 20]) {
      assert.throws(() => transformer.fromStorage(value.subarray(0, length), '/k'), {
        message: 'invalid data encountered by envelope transformer: failed to read uint16 length prefixed data',
      });
    }
  });
});

test('the health of a plugin is a value that comes back; its outcome is remembered, a failure for a shorter time', async () => {
  await withPlugin(async (fake, service) => {
    const clock = new ManualClock(1_000_000);
    using plugin = new KmsV1Plugin('vault', service, clock);
    await plugin.check();
    fake.broken = true;
    await plugin.check();
    clock.advance(20_001);
    const reason = 'rpc error: code = Internal desc = the vault is sealed';
    await assert.rejects(plugin.check(), {
      message: `failed to perform encrypt section of the healthz check for KMS Provider vault, error: ${reason}`,
    });
    fake.broken = false;
    await assert.rejects(plugin.check(), { message: reason });
    clock.advance(3001);
    await plugin.check();
  });
});

test('a plugin of another version is refused, and asked again', async () => {
  await withPlugin(async (fake, service) => {
    fake.v1Version = 'v3';
    const message = 'KMS provider api version v3 is not supported, only v1beta1 is supported now';
    await assert.rejects(service.encrypt(plain), { message });
    assert.equal(fake.encrypted, 0);
    fake.v1Version = 'v1beta1';
    await service.encrypt(plain);
    assert.equal(fake.asked, 2);
  });
});

test('the cache of keys and what comes to it are counted', async () => {
  await withPlugin(async (_fake, service) => {
    const registry = new MetricsRegistry();
    const transformer = new KmsV1EnvelopeTransformer(service, 4, new EncryptionMetrics(registry, 'server'));
    await transformer.fromStorage(await transformer.toStorage(plain, '/k'), '/k');
    const { cacheFill } = encryptionFamilies(registry);
    assert.equal(cacheFill.with().value, 0.25);
  });
});
