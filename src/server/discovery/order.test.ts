import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiscoveredGroupVersion } from './group-version.ts';
import { groupsInOrder } from './order.ts';

function served(group: string, version: string, groupPriority: number, versionPriority: number): DiscoveredGroupVersion {
  return { group, version, groupPriority, versionPriority, origin: 'custom', resources: [] };
}

function order(all: readonly DiscoveredGroupVersion[], aggregated = false): string[] {
  return groupsInOrder(all, aggregated).flatMap(({ name, versions }) => versions.map(({ version }) => `${name}/${version}`));
}

test('groups come by priority, the highest of their versions counting', () => {
  assert.deepEqual(order([served('low', 'v1', 100, 1), served('b', 'v2', 1000, 1), served('b', 'v1', 200, 1), served('a', 'v1', 500, 1)]), [
    'b/v2',
    'b/v1',
    'a/v1',
    'low/v1',
  ]);
});

test('versions of one priority come as stable as they are, the youngest first', () => {
  const versions = ['v1beta1', 'foo', 'v1', 'v2', 'v2alpha1', 'v1beta2'].map((version) => served('g', version, 1000, 100));
  assert.deepEqual(order(versions), ['g/v2', 'g/v1', 'g/v1beta2', 'g/v1beta1', 'g/v2alpha1', 'g/foo']);
});

test('equal groups follow the names of their APIServices in one list and their own names in the other', () => {
  const all = [served('a', 'v2', 1000, 100), served('b', 'v1', 1000, 100)];
  assert.deepEqual(order(all), ['b/v1', 'a/v2']);
  assert.deepEqual(order(all, true), ['a/v2', 'b/v1']);
});
