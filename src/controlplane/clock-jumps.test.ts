/** The machine's time is set hours forward and back while a server runs. What lasts a while lasts as long as before. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { RawClient } from '../../test/support/raw-client.ts';
import { ManualClock } from '../base/clock.ts';
import { startApiServer } from '../index.ts';
import type { Lease } from '../schema/types/coordination-v1.ts';
import { cachedTokenAuthenticator } from '../server/access/authn/token-cache.ts';
import type { ObjectReader } from '../server/registry/object-reader.ts';
import { openEmbeddedStorage } from '../storage/drivers/embedded/open.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import { RememberedCheck } from '../storage/encryption/kms/provider.ts';
import type { Storage } from '../storage/storage.ts';

const hour = 3600_000;
const start = Date.UTC(2026, 0, 1);
const jumps = [5 * hour, -5 * hour] as const;

const root = await mkdtemp(join(tmpdir(), 'wheelhouse-jumps-'));
after(() => rm(root, { recursive: true }));

const stores: Readonly<Record<string, (clock: ManualClock) => Storage | Promise<Storage>>> = {
  memory: (clock) => createMemoryStorage({ clock }),
  'a directory': async (clock) => openEmbeddedStorage({ directory: await mkdtemp(join(root, 's-')), clock }),
};

describe('when the time is set', () => {
  test('ManualClock: no timer falls due by it, and elapsed() does not show it', () => {
    const clock = new ManualClock(start);
    let fired = 0;
    clock.setTimeout(() => fired++, 1000);
    const before = clock.elapsed();
    for (const jump of jumps) clock.set(clock.now() + jump);
    clock.advance(999);
    assert.deepEqual([fired, clock.elapsed() - before], [0, 999]);
    clock.advance(1);
    assert.equal(fired, 1);
  });

  for (const jump of jumps) {
    test(`by ${jump / hour} hours, a verdict on a token is remembered as long as before`, async () => {
      const clock = new ManualClock(start);
      let asked = 0;
      const user = { user: { name: 'somebody', uid: '', groups: [], extra: {} }, audiences: undefined };
      const authenticate = cachedTokenAuthenticator(
        async () => {
          asked++;
          return user;
        },
        { clock, successTtlMs: 10_000, unknownTtlMs: 0 },
      );
      const ask = async (): Promise<number> => {
        await authenticate('token', undefined, {} as ObjectReader);
        return asked;
      };
      assert.equal(await ask(), 1);
      clock.set(clock.now() + jump);
      clock.advance(9_000);
      assert.equal(await ask(), 1);
      clock.advance(1_001);
      assert.equal(await ask(), 2);
    });

    test(`by ${jump / hour} hours, a KMS plugin that fails is found out as soon as before`, async () => {
      const clock = new ManualClock(start);
      let isWell = true;
      const check = new RememberedCheck(async () => assert.ok(isWell, 'not well'), clock);
      await check.check();
      isWell = false;
      clock.set(clock.now() + jump);
      await assert.rejects(async () => {
        for (let minute = 0; minute < 5; minute++) {
          clock.advance(60_000);
          await check.check();
        }
      }, /not well/);
    });

    for (const [name, open] of Object.entries(stores)) {
      test(`by ${jump / hour} hours, keys in ${name} live as long as they were given`, async () => {
        const clock = new ManualClock(start);
        await using storage = await open(clock);
        const put = (key: string): Promise<unknown> => storage.transact([{ type: 'put', key, value: Buffer.from('x'), ttlSeconds: 60 }]);
        const keys = async (): Promise<string> => {
          // What is over is deleted by a transaction, which takes some turns.
          await new Promise((resolve) => setTimeout(resolve, 50));
          return (await storage.list('/')).items.map(({ key }) => key).join();
        };
        await put('/before');
        clock.set(clock.now() + jump);
        await put('/after');
        clock.advance(59_000);
        assert.equal(await keys(), '/after,/before');
        clock.advance(2_000);
        assert.equal(await keys(), '');
      });
    }

    test(`by ${jump / hour} hours, servers stay listed and renew their identity, and clients are served`, { timeout: 60_000 }, async () => {
      const clock = new ManualClock(start);
      await using storage = createMemoryStorage({ clock });
      const options = { clock, storage, controllers: false } as const;
      await using server = await startApiServer({ ...options, serving: { advertiseAddress: '10.1.0.1' } });
      await using _second = await startApiServer({ ...options, serving: { advertiseAddress: '10.1.0.2' } });
      await using client = new RawClient(server);
      const read = async (path: string): Promise<string> => {
        const { status, text } = await client.call('GET', path);
        assert.equal(status, 200, text);
        return text;
      };
      const listed = async (): Promise<string> => {
        const text = await read('/api/v1/namespaces/default/endpoints/kubernetes');
        const { subsets = [] } = JSON.parse(text) as { subsets?: { addresses?: { ip: string }[] }[] };
        return subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)).join();
      };
      const renewed = async (): Promise<number> => {
        const { items } = JSON.parse(await read('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases')) as { items: Lease[] };
        return Date.parse(items[0]?.spec?.renewTime ?? '');
      };
      const pass = async (seconds: number): Promise<void> => {
        for (let second = 0; second < seconds; second++) {
          clock.advance(1000);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      };
      await pass(3);
      while ((await listed()) !== '10.1.0.1,10.1.0.2') await pass(1);
      clock.set(clock.now() + jump);
      const set = clock.now();
      for (let index = 0; index < 10; index++) {
        await pass(3);
        assert.equal(await listed(), '10.1.0.1,10.1.0.2');
        // A consistent read waits for the cache, not for hours.
        await read('/api/v1/namespaces?limit=1');
      }
      while ((await renewed()) < set || (await renewed()) > clock.now()) await pass(1);
    });
  }
});
