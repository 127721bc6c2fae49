import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { APIGroupDiscovery } from '../../schema/types/apidiscovery-v2.ts';
import { mergedGroups } from './merged-groups.ts';
import { mergedOrder } from './order.ts';

const orders: readonly { lists: readonly string[]; order: string; why: string }[] = [
  { lists: ['abc', 'bc'], order: 'abc', why: 'one list has all' },
  { lists: ['ac', 'bc'], order: 'abc', why: 'by name where lists say nothing' },
  { lists: ['xb', 'ba'], order: 'xba', why: 'each list is kept to' },
  { lists: ['ab', 'ba'], order: 'ab', why: 'the first list that has all, whatever others say' },
  { lists: ['abx', 'bay'], order: 'abxy', why: 'lists that contradict each other give way to names' },
  { lists: ['', ''], order: '', why: 'nothing' },
];

for (const { lists, order, why } of orders) {
  test(`names of [${lists.join(', ')}] come as ${order}: ${why}`, () => {
    assert.equal(mergedOrder(lists.map((list) => [...list])).join(''), order);
  });
}

type Served = Record<string, Record<string, Record<string, readonly string[]>>>;

/** group → version → resource → verbs */
function groups(served: Served): APIGroupDiscovery[] {
  return Object.entries(served).map(([name, versions]) => ({
    metadata: { name },
    versions: Object.entries(versions).map(([version, resources]) => ({
      version,
      resources: Object.entries(resources).map(([resource, verbs]) => ({
        resource,
        scope: 'Namespaced',
        singularResource: '',
        verbs: [...verbs],
        subresources: [{ subresource: `of-${verbs.join('-')}`, verbs: ['get'] }],
      })),
      freshness: 'Current',
    })),
  }));
}

test('groups, versions, resources, verbs and subresources of all servers are there once', () => {
  const one = groups({ apps: { v1: { deployments: ['get', 'list'] } }, batch: { v1: { jobs: ['get'] } } });
  const other = groups({
    apps: { v2: { deployments: ['get'] }, v1: { deployments: ['create', 'get'], scales: ['get'] } },
    extra: { v1: {} },
  });
  const merged = mergedGroups(
    new Map([
      ['b', other],
      ['a', one],
    ]),
  );
  assert.deepEqual(
    merged.map(({ metadata, versions = [] }) => [
      metadata.name,
      versions.map(({ version, resources = [] }) => [
        version,
        resources.map(({ resource, verbs, subresources = [] }) => [resource, verbs, subresources.map(({ subresource }) => subresource)]),
      ]),
    ]),
    [
      [
        'apps',
        [
          ['v2', [['deployments', ['get'], ['of-get']]]],
          [
            'v1',
            [
              ['deployments', ['create', 'get', 'list'], ['of-create-get', 'of-get-list']],
              ['scales', ['get'], ['of-get']],
            ],
          ],
        ],
      ],
      ['batch', [['v1', [['jobs', ['get'], ['of-get']]]]]],
      ['extra', [['v1', []]]],
    ],
  );
});
