import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HealthCheck } from '../server/routes/health.ts';
import type { Request } from '../server/http/request.ts';
import { silentLogger } from '../base/log.ts';
import { healthChecks } from './health-checks.ts';

const other = { registration: () => {}, loading: () => [], now: () => 0, log: silentLogger };

test('while the start has grace, /livez does not mind hooks that have not finished; /readyz and /healthz do', async () => {
  let isStartGraceful = true;
  const { healthy, live, ready } = healthChecks({
    stores: [{ health: () => Promise.resolve(), readiness: () => Promise.resolve() }],
    encryption: [],
    ...other,
    hooks: ['bootstrap-controller'],
    pendingHooks: () => ['bootstrap-controller'],
    isStartGraceful: () => isStartGraceful,
    shutdown: () => {},
  });
  const failing = async (checks: readonly HealthCheck[]): Promise<boolean> => {
    const check = checks.find(({ name }) => name === 'poststarthook/bootstrap-controller');
    assert.ok(check);
    try {
      await check.check({} as Request);
      return false;
    } catch {
      return true;
    }
  };
  assert.deepEqual([await failing(healthy), await failing(live), await failing(ready)], [true, false, true]);
  isStartGraceful = false;
  assert.ok(await failing(live));
});

test('KMS plugins are part of /healthz and /readyz, behind the store, and not of /livez', () => {
  const { healthy, live, ready } = healthChecks({
    stores: [{ health: () => Promise.resolve(), readiness: () => Promise.resolve() }],
    encryption: [{ name: 'kms-providers', check: () => {} }],
    ...other,
    hooks: [],
    pendingHooks: () => [],
    isStartGraceful: () => false,
    shutdown: () => {},
  });
  const before = (checks: readonly HealthCheck[]): string | undefined => {
    const index = checks.findIndex(({ name }) => name === 'kms-providers');
    return checks[index - 1]?.name;
  };
  assert.deepEqual([before(healthy), before(ready)], ['etcd', 'etcd-readiness']);
  assert.ok(live.every(({ name }) => name !== 'kms-providers'));
});

test('a process that is as old as a loopback certificate may be, or whose log is not read, is not healthy', async () => {
  let [now, blockedMs, loading] = [0, 0, [] as string[]];
  const { live, ready } = healthChecks({
    stores: [],
    encryption: [],
    hooks: [],
    pendingHooks: () => [],
    registration: () => {},
    loading: () => loading,
    now: () => now,
    log: { ...silentLogger, blockedMs: () => blockedMs },
    isStartGraceful: () => false,
    shutdown: () => {},
  });
  const failing = async (checks: readonly HealthCheck[]): Promise<string[]> => {
    const names: string[] = [];
    for (const { name, check } of checks) {
      try {
        await check({} as Request);
      } catch (error) {
        names.push(`${name}: ${(error as Error).message}`);
      }
    }
    return names;
  };
  assert.deepEqual(await failing([...live, ...ready]), []);
  now = (3 * 365 + 1) * 24 * 3600 * 1000 + 1;
  assert.deepEqual(await failing(live), ['loopback-serving-certificate: loopback serving certificate is expired']);
  now = 0;
  blockedMs = 2 * 60_000;
  assert.deepEqual(await failing(live), ['log: logging blocked']);
  blockedMs = 0;
  loading = ['pods'];
  assert.deepEqual(await failing(ready), ['informer-sync: 1 informers not started yet: [pods]']);
});
