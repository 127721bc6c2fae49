import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { APIGroupDiscoveryList } from '../schema/types/apidiscovery-v2.ts';
import { describedResources, resourcesOf } from './remote-discovery.ts';

const list = {
  items: [
    {
      metadata: { name: 'a.example.com' },
      versions: [{ version: 'v1', resources: [{ resource: 'others', scope: 'Cluster', verbs: [] }] }],
    },
    {
      metadata: { name: 'b.example.com' },
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'things',
              responseKind: { group: 'c', version: 'v2', kind: 'Thing' },
              scope: 'Namespaced',
              singularResource: 'thing',
              verbs: ['get'],
              shortNames: ['t'],
              subresources: [{ subresource: 'status', verbs: ['update'] }],
            },
          ],
        },
      ],
    },
  ],
} as unknown as APIGroupDiscoveryList;

test('resourcesOf() has the resources of one group version, and kinds that say nothing where none is stated', () => {
  assert.deepEqual(resourcesOf(list, { group: 'b.example.com', version: 'v1' }), [
    { name: 'things', singular: 'thing', namespaced: true, verbs: ['get'], group: 'c', version: 'v2', kind: 'Thing', shortNames: ['t'] },
    { name: 'things/status', singular: '', namespaced: true, verbs: ['update'], group: '', version: '', kind: '' },
  ]);
});

test('describedResources() has them as the server has', () => {
  assert.deepEqual(describedResources(list, { group: 'a.example.com', version: 'v1' }), [
    { resource: 'others', scope: 'Cluster', verbs: [], responseKind: { group: '', version: '', kind: '' } },
  ]);
  const [things] = describedResources(list, { group: 'b.example.com', version: 'v1' });
  assert.deepEqual(things?.responseKind, { group: 'c', version: 'v2', kind: 'Thing' });
  assert.deepEqual(things?.subresources, [
    { subresource: 'status', verbs: ['update'], responseKind: { group: '', version: '', kind: '' } },
  ]);
});

test('resourcesOf() has nothing of what the server does not serve', () => {
  assert.deepEqual(resourcesOf(list, { group: 'b.example.com', version: 'v2' }), []);
  assert.deepEqual(resourcesOf({ items: null } as unknown as APIGroupDiscoveryList, { group: 'x', version: 'v1' }), []);
});
