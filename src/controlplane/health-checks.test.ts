import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HealthCheck } from '../server/routes/health.ts';
import type { Request } from '../server/http/request.ts';
import { healthChecks } from './health-checks.ts';

test('while the start has grace, /livez does not mind hooks that have not finished; /readyz and /healthz do', async () => {
  let isStartGraceful = true;
  const { healthy, live, ready } = healthChecks({
    stores: [{ health: () => Promise.resolve(), readiness: () => Promise.resolve() }],
    encryption: [],
    pendingHooks: () => ['bootstrap-controller'],
    without: new Set(),
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
    pendingHooks: () => [],
    without: new Set(),
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
