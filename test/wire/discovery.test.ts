import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { servedGroupVersions } from '../../src/schema/resources.ts';
import { apiGroup, apiGroupDiscoveryList, apiGroupList, apiResourceList } from '../../src/server/discovery/documents.ts';
import { builtInGroupVersion } from '../../src/server/discovery/group-version.ts';
import { groupsInOrder } from '../../src/server/discovery/order.ts';
import { DiscoveryRegistry } from '../../src/server/discovery/registry.ts';
import { moduleDirectories } from './module-directories.ts';

const folder = join(moduleDirectories()['k8s.io/kubernetes'], 'api/discovery');
const registry = new DiscoveryRegistry();
for (const served of servedGroupVersions()) registry.put(builtInGroupVersion(served));

/** `apis__apps__v1.json` -> what we say at `/apis/apps/v1` */
function ours(file: string): object {
  if (file === 'aggregated_v2.json') {
    const named = registry.all.filter(({ group }) => group !== '');
    return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', ...apiGroupDiscoveryList(groupsInOrder(named, true)) };
  }
  const [root, group = '', version] = file.replace('.json', '').split('__');
  if (file === 'apis.json') return apiGroupList(registry.groups);
  const groupVersion = root === 'api' ? registry.get('', group) : registry.get(group, version ?? '');
  if (groupVersion !== undefined) return apiResourceList(groupVersion);
  const found = registry.group(group);
  assert.ok(found, `group ${group}`);
  return apiGroup(found);
}

// api.json tells of the address of a server that was there for a moment
for (const file of readdirSync(folder).filter((name) => name !== 'api.json')) {
  test(`${file} is what upstream publishes`, () => {
    assert.deepEqual(JSON.parse(JSON.stringify(ours(file))), JSON.parse(readFileSync(join(folder, file), 'utf8')));
  });
}
