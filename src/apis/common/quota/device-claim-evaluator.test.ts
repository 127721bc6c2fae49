import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeviceRequest } from '../../../schema/types/resource-v1.ts';
import { deviceClaims } from './device-claim-evaluator.ts';

const perClass = (name: string): string => `${name}.deviceclass.resource.k8s.io/devices`;
const usage = (...requests: DeviceRequest[]): Record<string, string> =>
  Object.fromEntries(
    [...deviceClaims.usage({ metadata: { name: 'c' }, spec: { devices: { requests } }, status: {} }, 0)].map(([name, amount]) => [
      name,
      String(amount),
    ]),
  );
const count = { 'count/resourceclaims.resource.k8s.io': '1' };

describe('a claim of devices', () => {
  test('counts by class what it asks for', () => {
    const requests: DeviceRequest[] = [
      { name: 'a', exactly: { deviceClassName: 'x', allocationMode: 'ExactCount', count: 2 } },
      { name: 'b', exactly: { deviceClassName: 'x', allocationMode: 'ExactCount', count: 3 } },
      { name: 'c', exactly: { deviceClassName: 'y', allocationMode: 'All' } },
    ];
    assert.deepEqual(usage(...requests), { ...count, [perClass('x')]: '5', [perClass('y')]: '32' });
  });

  test('counts the worst of its alternatives', () => {
    const firstAvailable = [2, 5, 1].map((devices, index) => ({
      name: `s${index}`,
      deviceClassName: index === 2 ? 'y' : 'x',
      allocationMode: 'ExactCount',
      count: devices,
    }));
    assert.deepEqual(usage({ name: 'a', firstAvailable }), { ...count, [perClass('x')]: '5', [perClass('y')]: '1' });
  });

  test('evaluates quotas of claims and of classes', () => {
    const resources = ['count/resourceclaims.resource.k8s.io', perClass('x'), 'requests.cpu'];
    assert.deepEqual(
      resources.map((resource) => deviceClaims.evaluates(resource)),
      [true, true, false],
    );
  });
});
