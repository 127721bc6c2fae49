import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission, Rule } from './coverage.ts';
import { describePermissions, missingPermissions } from './coverage.ts';

const cases: readonly (readonly [what: string, held: readonly Rule[], wanted: readonly Rule[], missing: string])[] = [
  [
    'stars cover everything of their kind',
    [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    [{ verbs: ['get'], apiGroups: ['apps'], resources: ['deployments/scale'], resourceNames: ['a'] }],
    '',
  ],
  [
    'a rule for names does not cover the whole',
    [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['a'] }],
    [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }],
    '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  ],
  [
    'a subresource of every resource covers that of one',
    [{ verbs: ['get'], apiGroups: [''], resources: ['*/log'] }],
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods/log', 'pods'] }],
    '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
  ],
  [
    'URLs are covered by their prefix',
    [{ verbs: ['get'], nonResourceURLs: ['/healthz*'] }],
    [{ verbs: ['get', 'post'], nonResourceURLs: ['/healthz/ping'] }],
    '{NonResourceURLs:["/healthz/ping"], Verbs:["post"]}',
  ],
  [
    'what is missing is told by target, in order, with all verbs',
    [],
    [{ verbs: ['list', 'get'], apiGroups: ['', 'apps'], resources: ['x'] }],
    '{APIGroups:[""], Resources:["x"], Verbs:["list" "get"]}\n{APIGroups:["apps"], Resources:["x"], Verbs:["list" "get"]}',
  ],
  [
    'a rule for the empty name does not cover the whole',
    [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: [''] }],
    [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }],
    '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  ],
  [
    'several rules cover together what none covers alone, and verbs keep their order',
    [
      { verbs: ['get', 'list'], apiGroups: ['a'], resources: ['x', 'y'] },
      { verbs: ['list', 'watch'], apiGroups: ['a', 'b'], resources: ['y'] },
    ],
    [{ verbs: ['watch', 'list', 'get', 'watch'], apiGroups: ['a', 'b'], resources: ['x', 'y'] }],
    [
      '{APIGroups:["a"], Resources:["x"], Verbs:["watch" "watch"]}',
      '{APIGroups:["b"], Resources:["x"], Verbs:["watch" "list" "get" "watch"]}',
      '{APIGroups:["b"], Resources:["y"], Verbs:["get"]}',
    ].join('\n'),
  ],
];

for (const [what, held, wanted, missing] of cases) {
  test(what, async () => assert.equal(describePermissions(await missingPermissions(held, wanted)), missing));
}

const many = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test('a role of billions of permissions is compared without naming them', { timeout: 20_000 }, async () => {
  const wanted = [{ verbs: many('v', 2000), apiGroups: many('g', 2000), resources: many('r', 2000), resourceNames: many('n', 2000) }];
  assert.equal(describePermissions(await missingPermissions(wanted, wanted)), '');
  const held = [{ ...wanted[0]!, resources: many('r', 1999) }];
  const lines = describePermissions(await missingPermissions(held, wanted)).split('\n');
  assert.equal(lines.at(-1), `... and ${2000 ** 3 - 10_000} more`);
  assert.match(lines[0]!, /Resources:\["r1999"\]/);
});

test('the same permissions are missing as when each is looked at', async () => {
  const random = randomNumbers(7);
  const pick = (from: readonly string[]): string[] => from.filter(() => random() < 0.5);
  const rule = (): Rule => ({
    verbs: pick(['get', 'list', 'watch', '*']),
    apiGroups: pick(['', 'a', 'b']),
    resources: pick(['x', 'y', 'x/s', '*/s', 'z']),
    ...(random() < 0.4 && { resourceNames: pick(['', 'm', 'n']) }),
    ...(random() < 0.2 && { nonResourceURLs: pick(['/a', '/a/*', '/a*', '/a/b']) }),
  });
  for (let round = 0; round < 500; round++) {
    const held = Array.from({ length: Math.floor(random() * 5) }, rule);
    const wanted = Array.from({ length: Math.floor(random() * 3) }, rule);
    const { permissions, untold } = await missingPermissions(held, wanted);
    assert.equal(untold, 0);
    assert.deepEqual(permissions, missingOneByOne(held, wanted), JSON.stringify({ held, wanted }));
  }
});

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function missingOneByOne(held: readonly Rule[], wanted: readonly Rule[]): Permission[] {
  const result: Permission[] = [];
  for (const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } of wanted) {
    for (const group of apiGroups)
      for (const resource of resources)
        for (const verb of verbs ?? []) {
          if (resourceNames.length === 0) result.push({ group, resource, verb });
          for (const resourceName of resourceNames) result.push({ group, resource, verb, resourceName });
        }
    for (const url of nonResourceURLs) for (const verb of verbs ?? []) result.push({ url, verb });
  }
  return result.filter((permission) => !held.some((rule) => coversOne(rule, permission)));
}

function coversOne(rule: Rule, { verb, group, resource, resourceName, url }: Permission): boolean {
  const has = (list: readonly string[] | null | undefined, item: string): boolean => list?.includes('*') || list?.includes(item) || false;
  const names = rule.resourceNames ?? [];
  if (!has(rule.verbs, verb) || (names.length > 0 && (resourceName === undefined || !names.includes(resourceName)))) return false;
  if (url !== undefined)
    return rule.nonResourceURLs?.some((one) => one === url || (one.endsWith('*') && url.startsWith(one.replace(/\*+$/, '')))) ?? false;
  const [, subresource] = resource!.split('/');
  return (
    has(rule.apiGroups, group!) &&
    (has(rule.resources, resource!) || (subresource !== undefined && has(rule.resources, `*/${subresource}`)))
  );
}
